import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Rules whose outcome depends on the theme. */
const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * Fails with the rule, the element and the reason of every violation of WCAG 2.2 AA that can be found automatically.
 */
export const expectNoAxeViolations = async (
  page: Page,
  only: 'everything' | 'colours' = 'everything',
): Promise<void> => {
  // Colours in the middle of a transition are nobody's choice.
  await page.evaluate(() => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    return Promise.allSettled(transitions.map(({ finished }) => finished))
  })
  // No page of Docket has a frame, and the other mode opens one more page a scan to put the findings of frames
  // together.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (only === 'colours' ? axe.withRules(colourRules) : axe.withTags(wcag)).analyze()
  const found = violations
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary ?? ''}`),
    )
    // A bar of a narrow page covers half of a control until somebody scrolls. `expectTargetSizes` measures all of it.
    .filter((text) => !(text.startsWith('target-size') && text.includes('partially obscured')))
  expect(found, `accessibility of ${page.url()}`).toEqual([])
}

/** Controls that are smaller than 24 × 24 px, as WCAG 2.5.8 measures them. Links within a sentence are exempt. */
const listSmallTargets = () => {
  const controls =
    'a[href], button, input, select, textarea, summary, label:has(input), [role="menuitem"], [role="option"]'
  return [...document.querySelectorAll<HTMLElement>(controls)].flatMap((control) => {
    const { display, clipPath } = getComputedStyle(control)
    if ((control.matches('a') && display === 'inline') || clipPath !== 'none' || control.matches('label input'))
      return []
    const { width, height } = control.getBoundingClientRect()
    if (!control.checkVisibility({ visibilityProperty: true }) || (width >= 24 && height >= 24)) return []
    return [`${control.tagName} “${control.ariaLabel ?? control.textContent.trim()}” ${width} × ${height}`]
  })
}

/** Fails with every control on screen that is too small to hit. */
export const expectTargetSizes = async (page: Page): Promise<void> =>
  expect(await page.evaluate(listSmallTargets), `small targets of ${page.url()}`).toEqual([])

/** Checks what is on screen in the light and in the dark theme. */
export const expectAccessible = async (page: Page): Promise<void> => {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectNoAxeViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoAxeViolations(page, 'colours')
  await expectTargetSizes(page)
}
