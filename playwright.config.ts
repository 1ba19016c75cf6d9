import { defineConfig } from '@playwright/test'
import { launchFlags } from '#e2e/support/launch-flags.ts'

const executablePath = process.env.E2E_CHROMIUM

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/global-setup.ts',
  fullyParallel: true,
  // One more than the cores of a small machine: tests wait for exports and polls much of the time.
  workers: 3,
  // A test that passes the second time has found something. `npm test` tries again, and names it.
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  // Only a test that fails waits as long. A machine that others use too may take twenty times as long as a quiet one.
  timeout: 900_000,
  expect: { timeout: 120_000 },
  reporter: 'list',
  outputDir: 'test-results',
  use: {
    // As long as an expectation waits: a click on what is not there fails then, not at the end of the test.
    actionTimeout: 120_000,
    navigationTimeout: 120_000,
    // A trace of every test costs a sixth of the time; `--trace retain-on-failure` keeps one of what failed.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Endless animations are drawn without a graphics card, sixty times a second in every page.
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Set by the global setup, which runs after this file was read for the first time and before any worker reads it.
    launchOptions: { args: launchFlags, ...(executablePath === undefined ? {} : { executablePath }) },
  },
})
