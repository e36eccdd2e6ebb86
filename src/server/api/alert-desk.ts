import type { Alert, Silence } from './schemas/alert.ts'

/** The alert rules and what they say now. */
export interface AlertDesk {
  list(): Promise<readonly Alert[]>
  /** `undefined`: there is no such rule. */
  silence(id: string, silence: Silence): Promise<Alert | undefined>
  unsilence(id: string): Promise<Alert | undefined>
  /** As last evaluated; cheap. */
  readonly firing: number
}

export const noAlerts: AlertDesk = {
  list: async () => [],
  silence: async () => undefined,
  unsilence: async () => undefined,
  firing: 0,
}
