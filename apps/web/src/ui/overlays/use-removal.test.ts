import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { removal } from './use-removal.ts'

test('whoever removes something learns that it worked, although the refreshed list takes their row away', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } })
  let people = ['Ada', 'Bob']
  const list = new QueryObserver(client, { queryKey: ['users', 'list'], queryFn: () => Promise.resolve(people) })
  const dialog = new MutationObserver(
    client,
    removal(client, ['users'], async (name: string) => {
      people = people.filter((one) => one !== name)
    }),
  )
  const closeDialog = dialog.subscribe(() => {})
  const gone = new Promise<void>((resolve) => {
    list.subscribe(({ data }) => {
      if (data?.includes('Bob') !== false) return
      closeDialog()
      resolve()
    })
  })
  await list.refetch()
  const messages: string[] = []
  await dialog.mutate('Bob', { onSuccess: () => messages.push('Deleted the account of Bob.') })
  await gone
  expect(messages).toEqual(['Deleted the account of Bob.'])
})
