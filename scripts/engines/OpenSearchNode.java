import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.codelibs.opensearch.runner.node.OpenSearchRunnerNode;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.index.mapper.MapperExtrasModulePlugin;
import org.opensearch.index.reindex.ReindexModulePlugin;
import org.opensearch.painless.PainlessModulePlugin;
import org.opensearch.transport.Netty4ModulePlugin;

/** One OpenSearch node on loopback, without security: OpenSearchNode HOME HTTP_PORT TRANSPORT_PORT. */
public final class OpenSearchNode {
    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        Path config = Files.createDirectories(home.resolve("config"));
        Environment environment = new Environment(settings(home, arguments[1], arguments[2]), config);
        LogConfigurator.configure(environment);
        var node = new OpenSearchRunnerNode(environment, List.of(
            Netty4ModulePlugin.class,
            CommonAnalysisModulePlugin.class,
            MapperExtrasModulePlugin.class,
            PainlessModulePlugin.class,
            ReindexModulePlugin.class));
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
            } catch (Exception failure) {
                failure.printStackTrace();
            }
            stopped.countDown();
        }));
        node.start();
        stopped.await();
    }

    private static Settings settings(Path home, String httpPort, String transportPort) {
        return Settings.builder()
            .put("cluster.name", "orbweaver-tests")
            .put("node.name", "one")
            .put("path.home", home.toString())
            .put("path.data", home.resolve("data").toString())
            .put("path.logs", home.resolve("logs").toString())
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", httpPort)
            .put("transport.port", transportPort)
            .put("transport.type", "netty4")
            .put("http.type", "netty4")
            .put("node.store.allow_mmap", false)
            // Every test has indexes of its own, and a disk that is nearly full has room for the few megabytes of each.
            .put("cluster.max_shards_per_node", 10000)
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
    }
}
