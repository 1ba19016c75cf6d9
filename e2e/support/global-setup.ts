import { findBrowser } from '#e2e/support/browser.ts'

/** Finds the browser once; workers get it with the environment. */
export default async function globalSetup(): Promise<void> {
  process.env.E2E_CHROMIUM = await findBrowser()
}
