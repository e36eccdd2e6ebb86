/** A sentence in which commands and names stand between backticks. */
export function Prose({ text }: { text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 0 ? part : <code key={`${i} ${part}`}>{part}</code>))}</>
}
