import { type Agreement, precision, recall } from '../src/parse/oracle.fixture.ts'

export function shares(total: Agreement): string {
  return `${percent(recall(total))} found, ${percent(precision(total))} of those found are right (${total.expected} in all)`
}

const percent = (share: number) => `${(share * 100).toFixed(2)} %`
