import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { callApi } from '#e2e/support/api.ts'
import { runSql } from '#e2e/support/database.ts'
import type { Docket } from '#e2e/support/docket-server.ts'
import type { Complaint } from '#e2e/support/page-watch.ts'

/** Rows of one domain, newest first. */
export const exportRows = (page: Page, domain: string): Locator =>
  page.getByRole('article', { name: `Export of ${domain}`, exact: true })

/** The newest row of a domain. */
export const exportRow = (page: Page, domain: string): Locator => exportRows(page, domain).first()

/** The row of a site on the home page. */
export const siteRow = (page: Page, name: string): Locator => page.getByRole('row', { name, exact: true })

/** The row of an agent job. */
export const jobCard = (page: Page, id: string): Locator =>
  page.locator(`article[data-record$=${JSON.stringify(`${JSON.stringify(id)}]`)}]`)

/** The id on the page of an agent job, which proves that the page is open. */
export const jobPageId = (page: Page, id: string): Locator =>
  page.getByRole('region', { name: 'Details' }).getByText(id, { exact: true }).first()

/** Opens the page of an agent job from its row. */
export const openJob = async (page: Page, id: string): Promise<void> => {
  await jobCard(page, id).getByRole('heading').getByRole('link').click()
  await expect(jobPageId(page, id)).toBeVisible()
}

/** The field of the start form. */
export const domainField = (page: Page): Locator => page.getByLabel('Domain', { exact: true })

/** Opens the dialog that starts an export, unless the form is the page; answers with its field. */
export const openStartForm = async (page: Page): Promise<Locator> => {
  const field = domainField(page)
  const opener = page.getByRole('button', { name: 'New export', exact: true })
  // A start that is under way closes the dialog.
  await expect(page.locator('form [aria-busy=true]')).toHaveCount(0)
  await field.or(opener).first().waitFor()
  if (!(await field.isVisible())) await opener.click()
  await field.waitFor()
  return field
}

/** Adds an export by the menu beside New export; answers with the dialog. */
export const chooseFromNewExport = async (page: Page, command: string): Promise<Locator> => {
  await page.getByRole('button', { name: 'Other ways to add an export' }).click()
  await page.getByRole('menuitem', { name: `${command}…` }).click()
  return page.getByRole('dialog', { name: command })
}

/** Fills the form that starts an export and sends it. */
export const askForExport = async (page: Page, domain: string): Promise<void> => {
  await (await openStartForm(page)).fill(domain)
  await page.getByRole('button', { name: 'Start export' }).click()
}

/** Opens the exports page, starts an export as a person does, and answers with its row. Other tests may have exported the domain. */
export const startExport = async (page: Page, domain: string): Promise<Locator> => {
  await page.goto('/exports')
  const answer = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/api/static-exports'),
  )
  await askForExport(page, domain)
  const started = (await (await answer).json()) as { export: { exportId: string } }
  const link = page.locator(`a[href="/exports/${started.export.exportId}"]`)
  const row = exportRows(page, domain).filter({ has: link })
  await expect(row).toBeVisible()
  return row
}

/** Waits until Docket has saved the bundle of a row's export, which the row does not say. */
export const untilSaved = async (row: Locator): Promise<void> => {
  const id = await row.getAttribute('data-record')
  await expect
    .poll(() =>
      row
        .page()
        .evaluate(
          async (path) =>
            ((await (await fetch(path)).json()) as { artifact: { state: string } | null }).artifact?.state ?? null,
          `/api/static-exports/${id}`,
        ),
    )
    .toBe('stored')
}

/** Opens the menu of a row or page and takes one of its commands. */
export const chooseFromMenu = async (scope: Locator | Page, command: string): Promise<void> => {
  await scope.getByRole('button', { name: /^More for / }).click()
  await scope.getByRole('menuitem', { name: command }).click()
}

/** Waits for a message. It counts as shown when it is gone already: messages leave after some seconds. */
export const expectMessage = async (page: Page, text: string | RegExp): Promise<void> => {
  const shown = typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text)
  await expect.poll(() => page.evaluate(() => window.shownMessages)).toContainEqual(shown)
}

/** Opens a part of the page of an export. */
export const openPart = async (page: Page, name: string): Promise<void> =>
  page
    .getByRole('navigation', { name: 'Parts of this export' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click()

/** Percentage that the progress bar tells; null when it tells none. */
export const readProgress = async (scope: Locator | Page): Promise<number | null> => {
  const value = await scope.getByRole('progressbar').getAttribute('aria-valuenow')
  return value === null ? null : Number(value)
}

/** Waits until the bar tells more than `percent`; answers with what it tells then. */
export const progressBeyond = async (scope: Locator | Page, percent: number): Promise<number> => {
  let percentage = 0
  await expect
    .poll(async () => (percentage = (await readProgress(scope)) ?? 0), { intervals: [200] })
    .toBeGreaterThan(percent)
  return percentage
}

/** Downloads through the browser, by the button of a row or page. */
export const download = async (page: Page, scope: Locator | Page): Promise<{ name: string; bytes: Buffer }> => {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    scope.getByRole('link', { name: /^Download/ }).click(),
  ])
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
}

/** SHA-256 as people compare it. */
export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Ids of the export jobs of a domain that the local service has really taken, oldest first. */
export const serviceJobs = async (docket: Docket, domain: string): Promise<string[]> => {
  const jobs = await runSql<{ id: string }>(
    docket,
    `select job_id id from embedded_service.static_exports where domain = '${domain}' order by created_at`,
  )
  return jobs.map(({ id }) => id)
}

/** The archive that the local service keeps for a job: the original of every download. */
export const storedBundle = (docket: Docket, jobId: string): Buffer =>
  readFileSync(join(docket.dataDir, 'local-admin-api/bundles', jobId, 'bundle.tar.gz'))

export const chooseFromPersonMenu = async (page: Page, command: string) => {
  await page.getByRole('button', { name: /^Menu of / }).click()
  await page.getByRole('menu').getByText(command, { exact: true }).click()
}

/** Admin key of the embedded service; it may be nowhere but in this file. */
export const readAdminKey = (docket: Docket): string =>
  readFileSync(join(docket.dataDir, 'local-admin-api.key'), 'utf8').trim()

/** Address of the embedded service. */
export const readLocalService = (docket: Docket): string =>
  `http://127.0.0.1:${readFileSync(join(docket.dataDir, 'local-admin-api.port'), 'utf8').trim()}`

/** Creates an agent job at the embedded service itself, as a program with its key does. Returns the line to follow it by. */
export const createAgentJob = async (docket: Docket, prompt: string): Promise<string> => {
  const created = await fetch(`${readLocalService(docket)}/v2/agent/docs/job`, {
    method: 'POST',
    headers: { authorization: `Bearer ${readAdminKey(docket)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt }),
  })
  return `docs ${((await created.json()) as { id: string }).id}`
}

/** Creates an agent job through Docket, as an admin; answers with its id. */
export const requestAgentJob = async (docket: Docket, prompt: string): Promise<string> => {
  const body = { requestId: randomUUID(), projectId: 'docs', prompt }
  const response = await callApi(docket, '/api/agent-prompts', { body })
  return ((await response.json()) as { prompt: { jobId: string } }).prompt.jobId
}

/** Opens the folded form that adds jobs; answers with its box. */
export const openFollowForm = async (page: Page): Promise<Locator> => {
  if (new URL(page.url()).pathname !== '/agent-jobs') await page.goto('/agent-jobs')
  const box = page.getByRole('textbox', { name: 'Jobs to add' })
  const opener = page.getByRole('button', { name: 'Add by job ID', expanded: false })
  await box.or(opener).first().waitFor()
  if (await opener.isVisible()) await opener.click()
  return box
}

/** Pastes what names jobs into the form of the agent jobs page and sends it. Docket has answered then. */
export const follow = async (page: Page, text: string): Promise<void> => {
  await (await openFollowForm(page)).fill(text)
  await Promise.all([
    page.waitForResponse((response) => {
      const request = response.request()
      return request.method() === 'POST' && new URL(request.url()).pathname === '/api/agent-jobs'
    }),
    page.getByRole('button', { name: /^Add( \d+ jobs)?$/ }).click(),
  ])
}

/** The browser's own console line about an answer with one of these statuses. */
export const answered =
  (...statuses: number[]) =>
  ({ kind, text }: Complaint): boolean =>
    kind === 'console' && statuses.some((status) => text.includes(`status of ${status}`))

/** The browser's own console line about a server that is not there, or went away under a request. */
export const noServer = ({ kind, text }: Complaint): boolean =>
  kind === 'console' && /net::ERR_(CONNECTION|EMPTY_RESPONSE|INCOMPLETE|NETWORK|SOCKET)/.test(text)
