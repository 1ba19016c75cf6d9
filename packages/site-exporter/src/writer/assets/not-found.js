;(() => {
  'use strict'
  const read = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const html = document.documentElement
  const theme = read('docket-theme')
  if (theme) html.dataset.theme = theme
  addEventListener('DOMContentLoaded', () => {
    // Where the first page is depends on the host; a page that was read here before has told.
    const known = read('docket-root')
    const place = document.querySelector('[data-home]')
    place.firstElementChild.href = known && location.href.startsWith(known) ? known : new URL('/', location).href
    place.hidden = location.protocol === 'file:' && !known
  })
})()
