// Everything here adds to pages that work without it: colours, menu, tabs, copy buttons, and the marked heading.
;(() => {
  'use strict'
  const html = document.documentElement
  const remembered = {
    get: () => {
      try {
        return localStorage.getItem('docket-theme')
      } catch {
        return null
      }
    },
    set: (theme) => {
      try {
        localStorage.setItem('docket-theme', theme)
      } catch {
        // Without storage the choice lasts for this page.
      }
    },
  }
  // Before the page is drawn, so that it never flashes in the other colours.
  html.classList.add('js')
  if (remembered.get()) html.dataset.theme = remembered.get()
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
  const isDark = () => (html.dataset.theme ? html.dataset.theme === 'dark' : systemIsDark.matches)
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties)
    element.append(...children)
    return element
  }

  addEventListener('DOMContentLoaded', () => {
    themeButton()
    menuButton()
    document.querySelectorAll('.tabs').forEach(tabList)
    document.querySelectorAll('figure.code').forEach(copyButton)
    markHeading()
  })

  function themeButton() {
    const button = document.querySelector('[data-theme-toggle]')
    const show = () => button.setAttribute('aria-pressed', String(isDark()))
    button.hidden = false
    show()
    systemIsDark.addEventListener('change', show)
    button.addEventListener('click', () => {
      html.dataset.theme = isDark() ? 'light' : 'dark'
      remembered.set(html.dataset.theme)
      show()
    })
  }

  function menuButton() {
    const button = document.querySelector('[data-menu]')
    if (!document.querySelector('.sidebar')) return
    button.hidden = false
    const toggle = (open) => {
      html.classList.toggle('menu-open', open)
      button.setAttribute('aria-expanded', String(open))
    }
    button.addEventListener('click', () => toggle(!html.classList.contains('menu-open')))
    addEventListener('keydown', (event) => event.key === 'Escape' && toggle(false))
    const current = document.querySelector('.sidebar [aria-current=page]')
    const bar = document.querySelector('.sidebar')
    if (current && bar) bar.scrollTop = current.offsetTop - bar.clientHeight / 3
  }

  let tabLists = 0
  function tabList(tabs) {
    const panels = [...tabs.children]
      .filter((child) => child.matches('.tab, figure.code'))
      .map((child) => {
        if (!child.matches('figure')) return child
        // A figure may not be a tab panel, its wrapper may.
        const wrapper = make('div', {})
        child.replaceWith(wrapper)
        wrapper.append(child)
        return wrapper
      })
    if (panels.length < 2) return
    const list = make('div', { className: 'tab-list' })
    list.setAttribute('role', 'tablist')
    const group = `tabs-${++tabLists}`
    const select = (chosen, focus) => {
      panels.forEach((panel, index) => {
        panel.hidden = index !== chosen
        list.children[index].setAttribute('aria-selected', String(index === chosen))
        list.children[index].tabIndex = index === chosen ? 0 : -1
      })
      if (focus) list.children[chosen].focus()
    }
    panels.forEach((panel, index) => {
      const title = panel.querySelector(':scope > .tab-title, :scope > figure > figcaption')
      const button = make('button', {
        type: 'button',
        id: `${group}-${index}`,
        textContent: title ? title.textContent : `Tab ${index + 1}`,
      })
      if (title) title.hidden = true
      button.setAttribute('role', 'tab')
      button.addEventListener('click', () => select(index, false))
      panel.id ||= `${group}-panel-${index}`
      button.setAttribute('aria-controls', panel.id)
      panel.setAttribute('role', 'tabpanel')
      panel.setAttribute('aria-labelledby', button.id)
      list.append(button)
    })
    list.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      if (!step) return
      event.preventDefault()
      const now = panels.findIndex((panel) => !panel.hidden)
      select((now + step + panels.length) % panels.length, true)
    })
    tabs.prepend(list)
    tabs.classList.add('has-list')
    const wanted =
      location.hash &&
      panels.findIndex((panel) =>
        panel.querySelector(`[id="${CSS.escape(decodeURIComponent(location.hash.slice(1)))}"]`),
      )
    select(wanted > 0 ? wanted : 0, false)
  }

  function copyButton(figure) {
    if (!navigator.clipboard) return
    const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' })
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(figure.querySelector('code').textContent)
        button.textContent = 'Copied'
      } catch {
        button.textContent = 'Not allowed'
      }
      setTimeout(() => (button.textContent = 'Copy'), 1500)
    })
    figure.append(button)
  }

  function markHeading() {
    const links = new Map(
      [...document.querySelectorAll('.contents a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
    )
    const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean)
    if (headings.length === 0) return
    const mark = () => {
      const above = headings.filter((heading) => heading.getBoundingClientRect().top < 120)
      const current = above.at(-1) ?? headings[0]
      links.forEach((link, id) =>
        id === current.id ? link.setAttribute('aria-current', 'true') : link.removeAttribute('aria-current'),
      )
    }
    let asked = false
    addEventListener(
      'scroll',
      () => {
        if (asked) return
        asked = true
        requestAnimationFrame(() => {
          asked = false
          mark()
        })
      },
      { passive: true },
    )
    mark()
  }
})()
