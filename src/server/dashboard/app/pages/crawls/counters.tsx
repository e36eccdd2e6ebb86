import { count } from '../../data/format.ts'

interface CountersParts {
  readonly title: string
  readonly counters: Readonly<Record<string, number>>
  readonly none: string
}

export function Counters({ title, counters, none }: CountersParts) {
  const rows = Object.entries(counters).sort(([, one], [, other]) => other - one)
  return (
    <section class="panel stack">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="soft">{none}</p>
      ) : (
        <table>
          <tbody>
            {rows.map(([name, sum]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="number">{count(sum)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
