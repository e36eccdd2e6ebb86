/** `www.example.com:8080` → `com.example.www.`: the keys of a site and of all its subdomains begin with its own. */
export function siteKey(host: string): string {
  const labels = host.toLowerCase().replace(/:\d+$/, '').split('.')
  return `${labels.reverse().join('.')}.`
}
