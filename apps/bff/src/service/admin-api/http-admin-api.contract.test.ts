import { adminApiContract } from '#service/admin-api/testing/admin-api-contract.ts'
import { honestAdminApi } from '#service/admin-api/testing/honest-admin-api.ts'

adminApiContract('a service with nothing but the contract', async () => ({
  ...(await honestAdminApi()),
  domain: 'docs.example.com',
  lists: false,
  agentJob: () => Promise.resolve({ projectId: 'project-1', id: 'job-1' }),
}))
