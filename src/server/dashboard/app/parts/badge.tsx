import { toneOf } from '../data/tones.ts'

export function Badge({ state, children }: { state: string; children?: string }) {
  return <span class={`badge ${toneOf(state)}`}>{children ?? state}</span>
}
