/**
 * Features of a whole Chromium that load pages of its own into every window, headless too: the suggestions below an
 * address bar that nobody sees took a second and a half of computing for each test.
 */
export const ownPages = ['WebUIOmniboxPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxAimPopup']

const disabledFeatures = process.env.E2E_DISABLED_FEATURES

/** Chromium without anything that would leave this machine by itself. Root has no sandbox to start. */
export const launchFlags = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  '--disable-gpu',
  // The last of these flags counts alone, so it has Playwright's own features too. Set by the global setup.
  ...(disabledFeatures === undefined ? [] : [`--disable-features=${disabledFeatures}`]),
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
