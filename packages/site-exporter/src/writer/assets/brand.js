// The owner's frame: menus that close, and an announcement that stays closed.
;(() => {
  'use strict'
  const { remembered } = window.docket
  const html = document.documentElement
  // Before the page is drawn, so that a closed announcement does not flash.
  const { banner } = html.dataset
  if (banner && remembered.get('docket-banner') === banner) html.classList.add('no-banner')
  addEventListener('DOMContentLoaded', () => {
    const close = document.querySelector('[data-dismiss]')
    if (close) {
      close.hidden = false
      close.addEventListener('click', () => {
        remembered.set('docket-banner', banner)
        html.classList.add('no-banner')
        document.querySelector('.brand')?.focus()
      })
    }
    const menus = [...document.querySelectorAll('details.switch')]
    const closeMenus = (except) => menus.forEach((menu) => menu !== except && (menu.open = false))
    addEventListener('click', (event) => closeMenus(event.target.closest?.('details.switch')))
    addEventListener('keydown', (event) => {
      const menu = event.key === 'Escape' && document.activeElement?.closest('details.switch[open]')
      closeMenus(event.key === 'Escape' ? null : document.activeElement?.closest('details.switch'))
      if (menu) menu.querySelector('summary').focus()
    })
  })
})()
