// Follows every link of one site. Pages come by subscription, the way spider hands them out; nothing is kept.
use spider::website::Website;

#[tokio::main]
async fn main() {
    let url = std::env::args().nth(1).expect("usage: spiderbench URL");
    let mut website = Website::new(&url);
    website.configuration.respect_robots_txt = true;
    website.configuration.delay = 0;
    website.with_limit(0);
    let mut pages = website.subscribe(4096);
    let counter = tokio::spawn(async move {
        let (mut count, mut bytes) = (0u64, 0usize);
        while let Ok(page) = pages.recv().await {
            count += 1;
            bytes += page.get_html_bytes_u8().len();
        }
        (count, bytes)
    });
    website.crawl().await;
    website.unsubscribe();
    let (count, bytes) = counter.await.unwrap();
    println!("{} pages {} bytes", count, bytes);
}
