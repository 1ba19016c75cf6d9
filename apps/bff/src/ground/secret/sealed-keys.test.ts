import { eq } from 'drizzle-orm'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { decryptText, encryptText } from '#ground/secret/encrypted-text.ts'
import { forgetSecret } from '#ground/secret/forget-secret.ts'
import { addConnection } from '#testing/connections.ts'
import { testDatabase } from '#testing/database.ts'
import { codeHosts } from '#service/connections/code-hosts.table.ts'
import { connections } from '#ground/db/connections.table.ts'
import { reencryptSealedKeys } from './sealed-keys.ts'

const ring = (letter: string) => ({ secret: letter.repeat(32), previousSecret: null })

test('a lost instance secret removes no key that it encrypted: once it is back, all can be decrypted', async () => {
  const { db, url, drop } = await testDatabase()
  onTestFinished(drop)
  const [lost, next] = [ring('a'), ring('b')]
  const connectionId = await addConnection(db, 'Docs')
  const keys = { sealedKey: encryptText(lost, 'key'), sealedReadKey: encryptText(lost, 'read key') }
  await db.update(connections).set(keys).where(eq(connections.connectionId, connectionId))
  await db.insert(codeHosts).values({
    connectionId,
    kind: 'gitea',
    url: 'https://git.example.com',
    sealedToken: encryptText(lost, 'token'),
  })
  const read = async () => {
    const [connection] = await db.select().from(connections).where(eq(connections.connectionId, connectionId))
    const [codeHost] = await db.select().from(codeHosts)
    return [connection!.sealedKey!, connection!.sealedReadKey!, codeHost!.sealedToken!]
  }
  const client = new Client({ connectionString: url })
  await client.connect()
  await forgetSecret(client)
  await client.end()
  // A start with another secret, and with one that is neither.
  for (const retired of [[], ['c'.repeat(32)]]) await db.transaction((tx) => reencryptSealedKeys(tx, next, retired))
  const sealed = await read()
  expect(() => decryptText(next, sealed[0]!)).toThrow('another instance secret sealed it')
  expect(sealed.map((text) => decryptText(lost, text))).toEqual(['key', 'read key', 'token'])
  await db.transaction((tx) => reencryptSealedKeys(tx, next, [lost.secret]))
  expect((await read()).map((text) => decryptText(next, text))).toEqual(['key', 'read key', 'token'])
})
