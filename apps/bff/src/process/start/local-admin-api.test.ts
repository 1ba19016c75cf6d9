import { expect, test } from 'vitest'
import { readConfig } from '#ground/config/config.ts'
import { listOwnHosts } from './local-admin-api.ts'

test('agents can reach neither the ports of Docket nor its databases and code host', async () => {
  const config = await readConfig({
    PORT: '3000',
    METRICS_PORT: '9100',
    PUBLIC_URL: 'https://docket.example.com',
    DATABASE_URL: 'postgresql://docket:hunter2@db.internal/docket',
    DATABASE_DIRECT_URL: 'postgresql://docket:hunter2@[fd00::1]:6432/docket',
    LOCAL_CODE_HOST: 'github',
    LOCAL_CODE_HOST_TOKEN: 'hunter3',
  })
  const hosts = listOwnHosts(config).map(({ host, port, nameOnly }) => `${host} ${port}${nameOnly ? ' by name' : ''}`)
  expect(hosts).toEqual([
    '127.0.0.1 3000',
    '127.0.0.1 9100',
    'db.internal 5432',
    'fd00::1 6432',
    'github.com 443',
    'api.github.com 443',
    'docket.example.com 443 by name',
  ])
})
