import { defineConfig } from '@playwright/test'
import { launchFlags } from '#e2e/support/launch-flags.ts'

const executablePath = process.env.E2E_CHROMIUM
const isPlanted = process.env.PLANTED !== undefined
// Only what fails waits as long. A machine that others use too may take twenty times as long as a quiet one.
const patienceMs = isPlanted ? 30_000 : 120_000

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/global-setup.ts',
  fullyParallel: true,
  // One more than the cores of a small machine: tests wait for exports and polls much of the time.
  workers: 3,
  // A test that passes the second time has found something.
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  // One failure shows that a planted fault is noticed.
  maxFailures: isPlanted && process.env.PLANTED !== 'all' ? 1 : 0,
  timeout: 900_000,
  expect: { timeout: patienceMs },
  reporter: 'list',
  outputDir: 'test-results',
  use: {
    // As long as an expectation waits: a click on what is not there fails then, not at the end of the test.
    actionTimeout: patienceMs,
    navigationTimeout: patienceMs,
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
