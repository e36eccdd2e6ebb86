import type { Clock } from '../../clock.ts'
import type { Config } from '../../config/schema.ts'
import type { ScalingReport } from '../../orchestrator/autoscaler.ts'
import type { Operations } from '../../orchestrator/operations.ts'
import type { Audit } from '../audit.ts'
import type { Caller } from '../auth.ts'
import type { Watch } from '../watch.ts'
import type { AlertDesk } from './alert-desk.ts'
import type { OperationName } from './paths.ts'
import type { AnswerOf, InputOf } from './route.ts'
import type { Routes } from './routes.ts'

/** What handlers work with. */
export interface Desk {
  readonly operations: Operations
  readonly watch: Watch
  readonly alerts: AlertDesk
  readonly audit: Audit
  /** `undefined`: nobody has decided lately. */
  readonly scaling: () => Promise<ScalingReport | undefined>
  readonly clock: Clock
  /** The server's own settings. */
  readonly config: Config
}

/** Answers one operation. */
export type Handler<Name extends OperationName> = (
  desk: Desk,
  input: InputOf<Routes[Name]>,
  caller: Caller,
) => Promise<AnswerOf<Routes[Name]>>

export type Handlers<Names extends OperationName = OperationName> = { readonly [Name in Names]: Handler<Name> }
