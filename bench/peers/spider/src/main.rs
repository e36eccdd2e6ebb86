// Follows every link of one site. Pages come by subscription, the way spider hands them out; nothing is kept.
use mimalloc::MiMalloc;
use spider::website::Website;
use tokio::sync::broadcast::error::RecvError;

// As spider's README advises for crawls that parse; a tenth less CPU here.
#[global_allocator]
static GLOBAL: MiMalloc = MiMalloc;

#[tokio::main]
async fn main() {
    let url = std::env::args().nth(1).expect("usage: spiderbench URL");
    let mut website = Website::new(&url);
    website.configuration.respect_robots_txt = true;
    website.configuration.delay = 0;
    website.with_limit(0);
    // As in spider's own examples. A larger channel holds more pages while the crawl runs ahead: 600 MiB with 4096.
    let mut pages = website.subscribe(16);
    let counter = tokio::spawn(async move {
        let (mut count, mut bytes) = (0u64, 0usize);
        loop {
            match pages.recv().await {
                Ok(page) => {
                    count += 1;
                    bytes += page.get_html_bytes_u8().len();
                }
                Err(RecvError::Lagged(missed)) => count += missed,
                Err(RecvError::Closed) => return (count, bytes),
            }
        }
    });
    website.crawl().await;
    website.unsubscribe();
    let (count, bytes) = counter.await.unwrap();
    println!("{} pages {} bytes", count, bytes);
}
