import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { demoWeb } from '../../../test/web/presets.ts'
import { startTestWeb } from '../../../test/web/web.ts'
import { loadConfig } from '../../config/load.ts'
import { createCrawlFolder } from '../../embedded/crawl-folder.ts'
import type { Command } from '../command.ts'
import { printSummary, runCrawl } from '../run-crawl.ts'
import { bold, dim } from '../terminal.ts'
import { counted } from '../units.ts'
import { search } from './search.ts'

const query = 'last keeper'

export const demo: Command = {
  name: 'demo',
  usage: '[--out DIR]',
  summary: 'crawls a small web that is built in, then searches it; no network needed',
  isLocal: true,
  flags: { keep: { type: 'boolean', help: 'keep the crawl in --out to look around' } },
  async run(invocation) {
    const { terminal, given, json } = invocation
    await using web = await startTestWeb(demoWeb)
    const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-demo-'))
    const keep = given.keep === true || given.out !== undefined
    const out = keep ? invocation.out : join(scratch, 'crawl')
    try {
      const ca = join(scratch, 'ca.pem')
      writeFileSync(ca, web.caCertificate)
      const { config, given: settings } = loadConfig({
        overrides: {
          'dns.servers': [web.dns],
          'fetch.caCertificates': [ca],
          'politeness.delayMs': 50,
          allowPrivate: ['*'],
        },
      })
      const folder = createCrawlFolder(out, web.seeds, settings)
      if (!json)
        terminal.note(
          bold(`Crawling ${web.hosts.length} hosts of a built-in web on this machine, 20 requests a second to each`),
        )
      const options = { terminal, json, outFlag: keep ? ` --out ${relative('.', out) || '.'}` : '' }
      const result = await runCrawl(folder, config, options)
      const { summary } = result
      if (json) terminal.print(JSON.stringify(summary))
      else if (keep) printSummary(result, options)
      else
        terminal.note(
          bold(
            `\n${summary.reason === 'finished' ? 'Finished' : 'Stopped'}: ${counted(summary.pages, 'page')}, ${counted(summary.redirects, 'redirect')}, ${summary.excluded} excluded by robots.txt, ${summary.duplicates + summary.nearDuplicates} copies`,
          ),
        )
      if (summary.reason === 'stopped') return 0
      terminal.note(`\n${dim('$')} ${bold(`orbweaver search "${query}"${options.outFlag}`)}\n`)
      await search.run({ ...invocation, args: [query], given: { limit: '3' }, out })
      if (!json && !keep) terminal.note(dim('Nothing was kept; `orbweaver demo --out demo` keeps it to look around.'))
      if (!json) terminal.note(`Now try your own: ${bold('orbweaver crawl https://your-site.example')}`)
      return 0
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  },
}
