import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createWriteOptions } from './use-write.ts'

test('the promise of a command resolves even when the refreshed list removes the component that sent it', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } })
  let people = ['Ada', 'Bob']
  const list = new QueryObserver(client, { queryKey: ['users', 'list'], queryFn: () => Promise.resolve(people) })
  const dialog = new MutationObserver(
    client,
    createWriteOptions(client, ['users'], async (name: string) => {
      people = people.filter((one) => one !== name)
    }),
  )
  const closeDialog = dialog.subscribe(() => {})
  const removed = new Promise<void>((resolve) => {
    list.subscribe(({ data }) => {
      if (data?.includes('Bob') !== false) return
      closeDialog()
      resolve()
    })
  })
  await list.refetch()
  const messages: string[] = []
  await dialog.mutate('Bob').then(() => messages.push('Deleted the account of Bob.'))
  await removed
  expect(messages).toEqual(['Deleted the account of Bob.'])
})
