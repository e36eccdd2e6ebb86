/** A share as a bar; what it says stands beside it in words. */
export function Bar({ share, warnAt = 0.8, badAt = 0.95 }: { share: number; warnAt?: number; badAt?: number }) {
  const tone = share >= badAt ? 'bad' : share >= warnAt ? 'warn' : ''
  return (
    <div class="bar" aria-hidden="true">
      <i class={tone} style={{ width: `${Math.min(100, Math.max(0, share * 100)).toFixed(1)}%` }} />
    </div>
  )
}
