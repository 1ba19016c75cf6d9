import type { BrowserContext, Page } from '@playwright/test'

/** Complaints about a page: errors, policy violations and foreign requests. */
export type Complaint = { kind: 'console' | 'page error' | 'policy' | 'foreign request'; text: string }

declare global {
  interface Window {
    docketPolicyViolation: (text: string) => void
    /** Every message that this page has shown. */
    shownMessages: string[]
  }
}

const watchPage = (page: Page, origin: () => string, complain: (complaint: Complaint) => void) => {
  page.on('console', (message) => {
    if (message.type() === 'error') complain({ kind: 'console', text: `${message.text()} (${message.location().url})` })
  })
  page.on('pageerror', (error) => complain({ kind: 'page error', text: error.stack ?? error.message }))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (/^(https?|wss?):$/.test(url.protocol) && url.origin.replace(/^ws/, 'http') !== origin())
      complain({ kind: 'foreign request', text: request.url() })
  })
}

/** Collects complaints about every page of a context, also ones opened later, and the messages that each page shows. */
export const watchPages = async (context: BrowserContext, origin: () => string): Promise<Complaint[]> => {
  const complaints: Complaint[] = []
  const complain = (complaint: Complaint) => complaints.push(complaint)
  await context.exposeBinding('docketPolicyViolation', (_source, text: string) => complain({ kind: 'policy', text }))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      window.docketPolicyViolation(
        `${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
      ),
    )
  })
  await context.addInitScript(() => {
    const shown = new Set<Element>()
    window.shownMessages = []
    new MutationObserver(() => {
      for (const item of document.querySelectorAll('[aria-label="Notifications"] li')) {
        if (!shown.has(item)) window.shownMessages.push(item.textContent)
        shown.add(item)
      }
    }).observe(document, { childList: true, subtree: true })
  })
  context.on('page', (page) => watchPage(page, origin, complain))
  return complaints
}
