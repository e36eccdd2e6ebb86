import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { alertRules } from '../src/monitor/alert-rules.ts'
import { catalog, type Metric } from '../src/monitor/catalog.ts'

const deploy = join(import.meta.dirname, '..', 'deploy')
const rulesFile = join(deploy, 'prometheus', 'orbweaver-alerts.yml')
const dashboard = JSON.parse(readFileSync(join(deploy, 'grafana', 'orbweaver.json'), 'utf8'))
const metrics: Readonly<Record<string, Metric>> = catalog

/** Every metric that a text names, without what histograms add to their names. */
function metricsIn(text: string): string[] {
  const names = [...text.matchAll(/\borbweaver_[a-z_]+\b/g)].map(([name]) => name)
  return names.map((name) => (name in metrics ? name : name.replace(/_(bucket|sum|count)$/, '')))
}

test('every metric that dashboards, rules and documents name is there', () => {
  const files = [...globSync('**/*.{yml,yaml,json}', { cwd: deploy }).map((file) => join(deploy, file))]
  files.push(join(import.meta.dirname, '..', 'docs', 'monitoring.md'))
  const unknown = files.flatMap((file) =>
    metricsIn(readFileSync(file, 'utf8')).flatMap((name) => (name in metrics ? [] : [`${file}: ${name}`])),
  )
  assert.deepEqual(unknown, [])
})

test('every label that a query asks for belongs to its metric', () => {
  const queries = `${readFileSync(rulesFile, 'utf8')}\n${JSON.stringify(dashboard).replaceAll('\\"', '"')}`
  const wrong = [...queries.matchAll(/\b(orbweaver_[a-z_]+)\{([^}]*)\}/g)].flatMap(([, name, selector]) => {
    const [metric] = metricsIn(name!)
    const labels = [...selector!.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!)
    return labels.flatMap((label) => (metrics[metric!]!.labels.includes(label) ? [] : [`${name}{${label}}`]))
  })
  assert.deepEqual(wrong, [])
})

test('the dashboard has the eight panels of the design, and none lies on another', () => {
  const titles: string[] = dashboard.panels.map(({ title }: { title: string }) => title)
  const eight = [
    'Throughput',
    'Frontier',
    'Copies',
    'Fetch success',
    'Parse success',
    'Storage lag',
    'Workers',
    'Errors',
  ]
  for (const wanted of eight)
    assert.ok(
      titles.some((title) => title.startsWith(wanted)),
      wanted,
    )
  const taken = new Set<string>()
  for (const { gridPos, title } of dashboard.panels)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.ok(x < 24 && !taken.has(`${x},${y}`), title)
        taken.add(`${x},${y}`)
      }
})

test('every metric and every alert rule is explained', () => {
  const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'monitoring.md'), 'utf8')
  for (const name of Object.keys(catalog)) assert.ok(page.includes(`\`${name}\``), name)
  for (const { id } of alertRules) assert.ok(page.includes(`\`${id}\``), id)
})

test('manifests for Kubernetes are well formed', () => {
  for (const file of globSync('kubernetes/*.yaml', { cwd: deploy }))
    for (const document of parseAllDocuments(readFileSync(join(deploy, file), 'utf8'))) {
      assert.deepEqual(document.errors, [])
      const { apiVersion, kind, metadata } = document.toJS()
      assert.ok(apiVersion && kind && metadata.name, file)
    }
})

const promtool = process.env.ORBWEAVER_TEST_PROMTOOL ?? 'promtool'
const isThere = spawnSync(promtool, ['--version']).status === 0

test('promtool finds the rules sound, and they fire when they should', {
  skip: !isThere && 'promtool is not installed (package prometheus)',
}, () => {
  for (const args of [
    ['check', 'rules', rulesFile],
    ['test', 'rules', rulesFile.replace('.yml', '.test.yml')],
  ]) {
    const { status, stdout, stderr } = spawnSync(promtool, args)
    assert.equal(status, 0, `${stdout}${stderr}`)
  }
})
