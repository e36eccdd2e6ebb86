import { onTestDatabase } from '../../../embedded/test-database.ts'
import { robotsStoreConformance } from '../../robots-store.conformance.ts'
import { embeddedRobots } from './embedded-robots.ts'

robotsStoreConformance('embedded', onTestDatabase(embeddedRobots))
