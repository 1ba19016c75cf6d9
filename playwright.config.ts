import { defineConfig } from '@playwright/test'
import { launchFlags } from '#e2e/support/launch-flags.ts'

const executablePath = process.env.E2E_CHROMIUM

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/global-setup.ts',
  fullyParallel: true,
  workers: 2,
  // A test that passes the second time has found something.
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  outputDir: 'test-results',
  use: {
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Set by the global setup, which runs after this file was read for the first time and before any worker reads it.
    launchOptions: { args: launchFlags, ...(executablePath === undefined ? {} : { executablePath }) },
  },
})
