import { testShortForm } from '#proofs/harness/short-form.ts'

testShortForm('kill-9')
