import type { Proof } from '#proofs/harness/proof.ts'
import { startDocket } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'

const guesses = 60
const most = 15

const fault: Fault = {
  file: 'people/accounts/sign-in/password-sign-in.ts',
  instead: "await throttle.take('account', email)",
  write: '',
}

/** Documentation addresses, one for each guess. */
const toAddress = (index: number) => `203.0.113.${index + 1}`

/** Guesses the password of one account, each time from another address, and checks the answers. */
export const proof: Proof = {
  name: 'guessing',
  bar: `of ${guesses} guesses from rotating addresses at most ${most} are looked at, whether the account exists or not`,
  fault,
  run: async ({ planted }) => {
    const env = { TRUSTED_PROXIES: '127.0.0.0/8', LOG_LEVEL: 'warn' }
    const docket = await startDocket(env, planted ? [fault] : [])
    const { client } = docket
    const email = 'ada@example.com'
    const password = 'trellis onion 7 marble quay'
    await client.post('/api/account/password', { newPassword: password })
    const changed = await client.send('PATCH', '/api/account', { email })
    if (!changed.ok) throw new Error(`No account to guess at: ${changed.status} ${await changed.text()}`)
    const signIn = async (typed: string, guess: string, address: string) => {
      const headers = { 'x-forwarded-for': address, cookie: '' }
      const response = await client.post('/api/auth/sign-in/password', { email: typed, password: guess }, headers)
      await response.arrayBuffer()
      return response
    }
    const play = async (typed: string) => {
      const statuses: number[] = []
      let withoutWait = 0
      for (let index = 0; index < guesses; index += 6) {
        const answers = await Promise.all(
          Array.from({ length: 6 }, (_, at) =>
            signIn(typed, `guess number ${index + at} of many`, toAddress(index + at)),
          ),
        )
        statuses.push(...answers.map(({ status }) => status))
        withoutWait += answers.filter(
          ({ status, headers }) => status === 429 && !(Number(headers.get('retry-after')) > 0),
        ).length
      }
      const [looked, refused] = [401, 429].map((wanted) => statuses.filter((status) => status === wanted).length)
      if (looked! + refused! !== guesses) throw new Error(`unexpected answers: ${statuses.join()}`)
      return { looked: looked!, withoutWait }
    }
    const known = await play(email)
    const unknown = await play('nobody@example.com')
    const right = await signIn(email, password, '198.51.100.7')
    const all = [known, unknown]
    return {
      ok:
        all.every(({ looked, withoutWait }) => looked > 0 && looked <= most && withoutWait === 0) &&
        right.status === 429,
      figure: `${known.looked} of ${guesses} guesses were looked at, and ${unknown.looked} of ${guesses} for an account that does not exist; the right password after them was answered ${right.status}`,
    }
  },
}
