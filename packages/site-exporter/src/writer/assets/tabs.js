// Tabs, which change together, and the two ways in which Vue's documentation writes its examples.
;(() => {
  'use strict'
  const { make, remembered } = window.docket

  addEventListener('DOMContentLoaded', () => {
    document.querySelectorAll('.tabs').forEach(tabList)
    apiSwitch()
  })

  /** Lists whose tabs change together have the same key. Without one, those with the same label do. */
  const lists = []
  /** Chosen label by key, the latest last. */
  const choices = readChoices()
  const maxChoices = 100

  function readChoices() {
    try {
      return new Map(JSON.parse(remembered.get('docket-tabs') ?? '[]'))
    } catch {
      return new Map()
    }
  }

  const isFor = (key, stored) => stored === key || (key === 'label' && stored.startsWith('label/'))

  function choose(list, label) {
    if (list.key === 'off') return
    const stored = list.key === 'label' ? `label/${label}` : list.key
    choices.delete(stored)
    choices.set(stored, label)
    remembered.set('docket-tabs', JSON.stringify([...choices].slice(-maxChoices)))
    const { top } = list.element.getBoundingClientRect()
    for (const other of lists) if (other !== list && other.key === list.key) other.show(label)
    // Changes above must not move the tab away from the pointer.
    scrollBy({ top: list.element.getBoundingClientRect().top - top, behavior: 'instant' })
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
    const element = make('div', { className: 'tab-list' })
    element.setAttribute('role', 'tablist')
    const group = `tabs-${++tabLists}`
    const labels = []
    let chooser = null
    /** Chooser in place of the row of tabs. */
    const dropdown = () => {
      chooser = make('select', { className: 'tab-chooser' })
      chooser.setAttribute('aria-label', 'Version of the example')
      chooser.append(
        ...labels.map((_, index) =>
          make('option', { value: String(index), textContent: element.children[index].textContent }),
        ),
      )
      chooser.addEventListener('change', () => pick(Number(chooser.value), false))
      element.hidden = true
      return chooser
    }
    const select = (wanted, focus) => {
      panels.forEach((panel, index) => {
        panel.hidden = index !== wanted
        element.children[index].setAttribute('aria-selected', String(index === wanted))
        element.children[index].tabIndex = index === wanted ? 0 : -1
      })
      if (chooser) chooser.value = String(wanted)
      if (focus) element.children[wanted].focus()
    }
    const show = (label) => labels.includes(label) && select(labels.indexOf(label), false)
    const list = { key: tabs.dataset.sync ?? 'label', element, show }
    const pick = (index, focus) => {
      select(index, focus)
      choose(list, labels[index])
    }
    panels.forEach((panel, index) => {
      const title = panel.querySelector(':scope > .tab-title, :scope > figure > figcaption')
      const language = panel.querySelector(':scope > figure code')?.dataset.language
      const button = make('button', {
        type: 'button',
        id: `${group}-${index}`,
        textContent: title?.textContent || language || `Tab ${index + 1}`,
      })
      if (title) title.hidden = true
      labels.push(panel.dataset.value ?? button.textContent)
      button.prepend(
        ...[...(title?.querySelectorAll('.icon, .icon-picture') ?? [])].map((icon) => icon.cloneNode(true)),
      )
      button.setAttribute('role', 'tab')
      button.addEventListener('click', () => pick(index, false))
      panel.id ||= `${group}-panel-${index}`
      panel.addEventListener('docket-reveal', () => select(index, false))
      button.setAttribute('aria-controls', panel.id)
      panel.setAttribute('role', 'tabpanel')
      panel.setAttribute('aria-labelledby', button.id)
      element.append(button)
    })
    element.addEventListener('keydown', (event) => {
      const now = panels.findIndex((panel) => !panel.hidden)
      const last = panels.length - 1
      const next = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: last }[event.key]
      if (next === undefined) return
      event.preventDefault()
      pick(next < 0 ? last : next > last ? 0 : next, true)
    })
    tabs.prepend(element, ...('dropdown' in tabs.dataset ? [dropdown()] : []))
    tabs.classList.add('has-list')
    const initial = panels.findIndex((panel) => panel.hasAttribute('data-default'))
    select(Math.max(0, initial), false)
    lists.push(list)
    const chosen = [...choices].findLast(([key, label]) => isFor(list.key, key) && labels.includes(label))
    if (chosen) show(chosen[1])
  }

  function apiSwitch() {
    const html = document.documentElement
    const kinds = { 'options-api': 'Options API', 'composition-api': 'Composition API' }
    const place = document.querySelector('.lead') ?? document.querySelector('article > h1')
    if (!place || Object.keys(kinds).some((kind) => !document.querySelector(`article .${kind}`))) return
    const group = make('div', { className: 'api-switch' })
    group.setAttribute('role', 'group')
    group.setAttribute('aria-label', 'API style')
    const show = (wanted) => {
      html.dataset.api = wanted
      for (const button of group.children) button.setAttribute('aria-pressed', String(button.value === wanted))
    }
    for (const [kind, name] of Object.entries(kinds)) {
      const button = make('button', { type: 'button', value: kind, textContent: name })
      button.addEventListener('click', () => {
        show(kind)
        remembered.set('docket-api', kind)
      })
      group.append(button)
      for (const part of document.querySelectorAll(`article .${kind}`))
        part.addEventListener('docket-reveal', () => show(kind))
    }
    place.after(group)
    const chosen = remembered.get('docket-api') ?? ''
    show(Object.hasOwn(kinds, chosen) ? chosen : 'composition-api')
  }
})()
