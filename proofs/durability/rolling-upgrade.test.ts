import { testShortForm } from '#proofs/harness/short-form.ts'

testShortForm('rolling-upgrade')
