import { existsSync, readFileSync } from 'node:fs'

// One level up from src/ in a clone, two from dist/src/ in the published package.
const manifest = ['../package.json', '../../package.json'].map((path) => new URL(path, import.meta.url))

export const version: string = JSON.parse(readFileSync(manifest.find((url) => existsSync(url))!, 'utf8')).version
