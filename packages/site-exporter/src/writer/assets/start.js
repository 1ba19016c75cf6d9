// Everything in these scripts adds to pages that work without them. This part is first: colours, the menu, and what the others use.
;(() => {
  'use strict'
  const html = document.documentElement
  // Absolute, so that it stays right wherever it is used.
  const root = new URL(document.currentScript.dataset.root || '.', location).href
  const remembered = {
    get: (key) => {
      try {
        return localStorage.getItem(key)
      } catch {
        return null
      }
    },
    set: (key, value) => {
      try {
        localStorage.setItem(key, value)
      } catch {
        // Without storage a choice lasts for this page.
      }
    },
  }
  // Before the page is drawn, so that it never flashes in the other colours.
  html.classList.add('js')
  const chosen = remembered.get('docket-theme')
  if (chosen && !('fixedTheme' in html.dataset)) html.dataset.theme = chosen
  // The page for wrong addresses cannot know where the site begins.
  remembered.set('docket-root', root)
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
  const isDark = () => (html.dataset.theme ? html.dataset.theme === 'dark' : systemIsDark.matches)
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties)
    element.append(...children)
    return element
  }
  const decoded = (text) => {
    try {
      return decodeURIComponent(text)
    } catch {
      return text
    }
  }
  window.docket = { root, make, decoded, remembered }

  addEventListener('DOMContentLoaded', () => {
    themeButton()
    menuButton()
    document.querySelector('.tab-row [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  })

  function themeButton() {
    const button = document.querySelector('[data-theme-toggle]')
    if (!button) return
    const show = () => button.setAttribute('aria-pressed', String(isDark()))
    button.hidden = false
    show()
    systemIsDark.addEventListener('change', show)
    button.addEventListener('click', () => {
      html.dataset.theme = isDark() ? 'light' : 'dark'
      remembered.set('docket-theme', html.dataset.theme)
      show()
    })
  }

  function menuButton() {
    const button = document.querySelector('[data-menu]')
    const sidebar = document.querySelector('.sidebar')
    if (!button || !sidebar) return
    const current = sidebar.querySelector('[aria-current=page]')
    const showCurrent = () => {
      if (current) sidebar.scrollTop = current.offsetTop - sidebar.clientHeight / 3
    }
    button.hidden = false
    const toggle = (open) => {
      html.classList.toggle('menu-open', open)
      button.setAttribute('aria-expanded', String(open))
      if (open) showCurrent()
    }
    const isOpen = () => html.classList.contains('menu-open')
    button.addEventListener('click', () => toggle(!isOpen()))
    addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !isOpen()) return
      toggle(false)
      button.focus()
    })
    // What lies below an open menu cannot be seen.
    document.querySelector('main').addEventListener('focusin', () => toggle(false))
    showCurrent()
  }
})()
