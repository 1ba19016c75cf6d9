import { testShortForm } from '#proofs/harness/short-form.ts'

testShortForm('crash-table')
