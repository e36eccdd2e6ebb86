import type { StatementSync } from 'node:sqlite'

/** A prepared statement whose faults come in our words. */
export type Statement = Pick<StatementSync, 'run' | 'get' | 'all' | 'iterate'>

export function guardStatement(statement: StatementSync, inOurWords: (error: unknown) => Error): Statement {
  const guard =
    <Act extends (...args: never[]) => unknown>(act: Act) =>
    (...args: Parameters<Act>): ReturnType<Act> => {
      try {
        return act(...args) as ReturnType<Act>
      } catch (error) {
        throw inOurWords(error)
      }
    }
  function* iterate(...args: Parameters<StatementSync['iterate']>): ReturnType<StatementSync['iterate']> {
    try {
      return yield* statement.iterate(...args)
    } catch (error) {
      throw inOurWords(error)
    }
  }
  return {
    run: guard(statement.run.bind(statement)) as StatementSync['run'],
    get: guard(statement.get.bind(statement)) as StatementSync['get'],
    all: guard(statement.all.bind(statement)) as StatementSync['all'],
    iterate: iterate as StatementSync['iterate'],
  }
}
