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
  window.docket = { root, make, decoded, remembered, words, say }

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
  const { words } = window.docket
  addEventListener('DOMContentLoaded', () => {
    const button = document.querySelector('[data-copy-page]')
    if (!button || !navigator.clipboard) return
    const label = button.textContent
    button.hidden = false
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(toMarkdown(document.querySelector('article')))
        button.textContent = words.copied
      } catch {
        button.textContent = words.notAllowed
      }
      setTimeout(() => (button.textContent = label), 1500)
    })
  })

  const left = '.page-actions, .trail, .copy, .language, .anchor, .tab-list, .contents-above, script, svg, .sr-only'
  const toMarkdown = (article) =>
    blocks(article)
      .replace(/\n{3,}/g, '\n\n')
      .trim() + '\n'
  const isBlock = (node) =>
    /^(P|H[1-6]|UL|OL|LI|DIV|PRE|FIGURE|TABLE|BLOCKQUOTE|DETAILS|SUMMARY|SECTION|DL|DT|DD|HR|FIGCAPTION|NAV)$/.test(
      node.nodeName,
    )
  const blocks = (parent) => {
    let text = ''
    let line = ''
    for (const node of parent.childNodes) {
      if (node.nodeType === 1 && node.matches(left)) continue
      if (!isBlock(node)) line += inline(node)
      else {
        text += `${line.trim()}\n\n${block(node)}\n\n`
        line = ''
      }
    }
    return text + line.trim()
  }
  const block = (node) => {
    const { nodeName } = node
    const level = /^H([1-6])$/.exec(nodeName)?.[1]
    if (level) return `${'#'.repeat(Number(level))} ${line(node)}`
    if (nodeName === 'PRE') return fenced(node)
    if (nodeName === 'UL' || nodeName === 'OL') return list(node)
    if (nodeName === 'TABLE') return table(node)
    if (nodeName === 'BLOCKQUOTE') return blocks(node).trim().replace(/^/gm, '> ')
    if (nodeName === 'HR') return '---'
    return blocks(node)
  }
  const fenced = (node) => {
    const text = node.textContent.replace(/\n$/, '')
    const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
    const fence = '`'.repeat(longest + 1)
    return `${fence}${node.querySelector('code')?.dataset.language ?? ''}\n${text}\n${fence}`
  }
  const list = (node) =>
    [...node.children]
      .map((item, index) => {
        const mark = node.nodeName === 'OL' ? `${index + 1}. ` : '- '
        const text = blocks(item)
          .replace(/\n{3,}/g, '\n\n')
          .trim()
        return mark + text.replace(/\n(?=.)/g, `\n${' '.repeat(mark.length)}`)
      })
      .join('\n')
  const table = (node) => {
    const rows = [...node.rows].map((row) => [...row.cells].map((cell) => line(cell).replaceAll('|', '\\|')))
    const [head = [], ...body] = rows
    return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  }
  const line = (node) => [...node.childNodes].map(inline).join('').replace(/\s+/g, ' ').trim()
  const inline = (node) => {
    if (node.nodeType === 3) return node.data.replace(/\s+/g, ' ')
    if (node.nodeType !== 1 || node.matches(left)) return ''
    const { nodeName } = node
    const text = () => [...node.childNodes].map(inline).join('')
    if (nodeName === 'CODE') return `\`${node.textContent}\``
    if (nodeName === 'STRONG' || nodeName === 'B') return `**${text()}**`
    if (nodeName === 'EM' || nodeName === 'I') return `*${text()}*`
    if (nodeName === 'BR') return '\n'
    if (nodeName === 'IMG') return node.alt && `![${node.alt}](${node.getAttribute('src')})`
    return nodeName === 'A' && node.hasAttribute('href') ? `[${text().trim()}](${node.href})` : text()
  }
})()
