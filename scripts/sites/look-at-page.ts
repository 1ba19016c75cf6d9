import AxeBuilder from '@axe-core/playwright'
import type { Browser } from '@playwright/test'
import type { Fault } from './faults.ts'

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Violations of WCAG 2.2 AA on a page, in light and in dark. Common practice beyond it is the business of whoever
 * writes the text.
 */
export const accessibilityFaults = async (browser: Browser, page: string, url: string): Promise<Fault[]> => {
  const faults: Fault[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme,
      reducedMotion: 'reduce',
    })
    const tab = await context.newPage()
    await tab.goto(url, { waitUntil: 'load' })
    const { violations } = await new AxeBuilder({ page: tab }).withTags(wcag).analyze()
    for (const { id, nodes } of violations)
      for (const { target } of nodes)
        faults.push({ page, kind: 'accessibility', what: `${id} at ${target.join(' ')} (${colorScheme})` })
    await context.close()
  }
  return faults
}

/** Checks that a page fits a narrow phone without sideways scrolling, and lists elements that do not. */
export const widthFaults = async (browser: Browser, page: string, url: string): Promise<Fault[]> => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
  const tab = await context.newPage()
  await tab.goto(url, { waitUntil: 'load' })
  const wide = await tab.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return null
    const scrolls = (element: Element): boolean =>
      element !== document.body &&
      (/auto|scroll|hidden/.test(getComputedStyle(element).overflowX) ||
        (element.parentElement !== null && scrolls(element.parentElement)))
    const culprit = [...document.body.querySelectorAll('*')].find(
      (element) => element.getBoundingClientRect().right > innerWidth + 1 && !scrolls(element),
    )
    return `${document.documentElement.scrollWidth} px wide, by ${culprit?.outerHTML.slice(0, 90) ?? 'something'}`
  })
  await context.close()
  return wide === null ? [] : [{ page, kind: 'width', what: wide }]
}
