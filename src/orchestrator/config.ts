import * as z from 'zod'
import { scalingConfig } from './scaling-config.ts'

export const orchestratorConfig = z.strictObject({ scaling: scalingConfig.prefault({}) })
