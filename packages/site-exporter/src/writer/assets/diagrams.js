// Draws diagrams from their text, again whenever the colours change. Without this script, or on a mistake, the text stays.
;(() => {
  'use strict'
  const html = document.documentElement
  const { mermaid, docket } = window
  const { systemIsDark, isDark } = docket
  const figures = [...document.querySelectorAll('figure.diagram')].map((figure) => ({ figure, drawing: null }))
  if (!mermaid || figures.length === 0) return

  const color = (name, otherwise) => {
    const probe = docket.make('i')
    probe.style.color = `var(--${name})`
    html.append(probe)
    const value = getComputedStyle(probe).color
    probe.remove()
    return value.startsWith('rgb(') ? value : otherwise
  }

  function settings(dark) {
    const [surface, raised] = [
      color('surface', dark ? '#111318' : '#ffffff'),
      color('raised', dark ? '#191c23' : '#f6f7f9'),
    ]
    const [text, soft] = [color('text', dark ? '#e6e8ec' : '#1b1f27'), color('soft', dark ? '#a3abb9' : '#565e6c')]
    const [line, mark] = [color('line', dark ? '#2b303a' : '#e2e5ea'), color('mark', dark ? '#4a3d10' : '#fdf0c4')]
    return {
      startOnLoad: false,
      securityLevel: 'strict',
      // Settings that a diagram may not change; its own styles could load something.
      secure: 'secure securityLevel startOnLoad maxTextSize maxEdges suppressErrorRendering themeCSS'.split(' '),
      suppressErrorRendering: true,
      maxTextSize: 50_000,
      theme: 'base',
      fontFamily: getComputedStyle(document.body).fontFamily,
      themeVariables: {
        darkMode: dark,
        background: surface,
        primaryColor: raised,
        primaryTextColor: text,
        primaryBorderColor: soft,
        secondaryColor: surface,
        tertiaryColor: surface,
        tertiaryBorderColor: line,
        lineColor: soft,
        textColor: text,
        activationBkgColor: line,
        activationBorderColor: soft,
        noteBkgColor: mark,
        noteTextColor: text,
        noteBorderColor: soft,
        edgeLabelBackground: surface,
      },
    }
  }

  let round = 0
  async function drawAll() {
    const mine = ++round
    mermaid.initialize(settings(isDark()))
    for (const [index, item] of figures.entries()) {
      const text = item.figure.querySelector('pre').textContent
      try {
        const { svg } = await mermaid.render(`docket-diagram-${index}-${mine}`, text)
        if (mine !== round) return
        show(item, svg)
      } catch {
        // The text of a diagram with a mistake says more than a message about it.
      }
    }
  }

  function show(item, svg) {
    if (!item.drawing) {
      const [caption, text] = [item.figure.querySelector('figcaption'), item.figure.querySelector('pre')]
      const label = { role: 'group', ariaLabel: docket.words.diagram }
      item.drawing = docket.make('div', { className: 'drawing', tabIndex: 0, ...label })
      const summary = docket.make('summary', { textContent: docket.words.diagramText })
      caption.remove()
      item.figure.append(item.drawing, docket.make('details', {}, summary, text))
    }
    item.drawing.innerHTML = svg
  }

  let dark = isDark()
  const onColors = () => {
    if (isDark() === dark) return
    dark = isDark()
    void drawAll()
  }
  new MutationObserver(onColors).observe(html, { attributeFilter: ['data-theme'] })
  systemIsDark.addEventListener('change', onColors)
  void drawAll()
})()
