import { openDatabase } from '../../../embedded/database.ts'
import { openFacts } from '../../../embedded/facts.ts'
import { loadFingerprint } from '../../../url/keys.ts'
import { ledgerConformance } from '../../ledger.conformance.ts'
import { embeddedLedger } from './embedded-ledger.ts'
import { frontierOn } from './test-frontier.ts'

const fingerprint = await loadFingerprint()

ledgerConformance('embedded', async () => {
  const database = openDatabase(':memory:')
  return {
    openFrontier: async () => frontierOn(database, fingerprint),
    openLedger: async () => embeddedLedger(database, openFacts(database), fingerprint),
    [Symbol.asyncDispose]: async () => database[Symbol.dispose](),
  }
})
