import { findBrowser, listDisabledFeatures } from '#e2e/support/browser.ts'

/** Finds the browser once, and what to switch off in it; workers get both with the environment. */
export default async function globalSetup(): Promise<void> {
  process.env.E2E_CHROMIUM = await findBrowser()
  process.env.E2E_DISABLED_FEATURES = await listDisabledFeatures(process.env.E2E_CHROMIUM)
}
