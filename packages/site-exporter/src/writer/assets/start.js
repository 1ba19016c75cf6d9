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
  /** Puts values into the places of a text. The value `count` chooses the plural form. */
  const words = window.docketWords
  const say = (text, values) => {
    const form = text[new Intl.PluralRules(words.lang).select(values.count ?? 0)] ?? text.other ?? text
    return form.replace(/\{(\w+)\}/g, (place, name) => {
      const value = values[name] ?? place
      return typeof value === 'number' ? value.toLocaleString(words.lang) : value
    })
  }
  /** Copies the text that `read` returns. The button says for a moment how that went. */
  const copyOnClick = (button, read) => {
    const label = button.textContent
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(read())
        button.textContent = words.copied
      } catch {
        button.textContent = words.notAllowed
      }
      setTimeout(() => (button.textContent = label), 1500)
    })
  }
  window.docket = { root, make, decoded, remembered, copyOnClick, systemIsDark, isDark, words, say }

  addEventListener('DOMContentLoaded', () => {
    themeButton()
    menuButton()
    document.querySelector('.tab-row [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  })

  function themeButton() {
    const button = document.querySelector('[data-theme-toggle]')
    if (!button) return
    const show = () => (button.ariaPressed = String(isDark()))
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
      button.ariaExpanded = String(open)
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
// Copies the page as Markdown. The text comes from the page, because pages opened from a disk cannot load other files.
;(() => {
  'use strict'
  const { copyOnClick } = window.docket
  addEventListener('DOMContentLoaded', () => {
    const { formatMarkdown } = window.docket
    const button = document.querySelector('[data-copy-page]')
    if (!button || !navigator.clipboard) return
    button.hidden = false
    const article = document.querySelector('article')
    copyOnClick(button, () => formatMarkdown([...article.childNodes].map(toNode), (href) => href))
  })

  const left = '.page-actions, .trail, .copy, .language, .anchor, .tab-list, .contents-above, script, svg, .sr-only'
  /** A part of the page as the tree from which the export writes Markdown. */
  const toNode = (node) => {
    if (node.nodeType === 3) return { type: 'text', value: node.data }
    if (node.nodeType !== 1 || node.matches(left)) return { type: 'comment' }
    const { localName, dataset, alt, href } = node
    const className = dataset.language ? [`language-${dataset.language}`] : []
    const properties = { className, alt, href: href || undefined, src: node.getAttribute('src') }
    return { type: 'element', tagName: localName, properties, children: [...node.childNodes].map(toNode) }
  }
})()
