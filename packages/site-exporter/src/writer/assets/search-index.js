// Reads the index of the search: scripts that register their data, because pages opened from a disk can load nothing else.
;(() => {
  'use strict'
  const { root, make, search } = window.docket
  const { isUnspaced, splitTerms } = search
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const values = new Map(Array.from(digits, (digit, value) => [digit, value]))
  /** Files for one word: more for a short beginning would only add noise. */
  const maxFiles = 3
  const maxCompletions = 12
  const maxCorrections = 4
  const maxTerms = 12

  const waiting = new Map()
  window.docketSearch = (name, data) => {
    waiting.get(name)?.(data)
    waiting.delete(name)
  }
  const loaded = new Map()
  const load = (name, digest) => {
    const known = loaded.get(name)
    if (known) return known
    const loading = new Promise((resolve, reject) => {
      waiting.set(name, resolve)
      const fail = () => reject(new Error(name))
      const src = `${root}_docket/search/${name}.js${digest ? `?${digest}` : ''}`
      const script = make('script', { src, onerror: fail })
      // A damaged file loads, and registers nothing.
      script.onload = () => {
        script.remove()
        if (waiting.has(name)) fail()
      }
      document.head.append(script)
    })
    loaded.set(name, loading)
    loading.catch(() => loaded.delete(name))
    return loading
  }

  /** Number of the file that would hold a term. */
  const findFile = (firsts, term) => {
    let [low, high] = [0, firsts.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (firsts[middle] <= term) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }

  const range = (from, to) => Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)

  const parseTerms = (text) => {
    const parts = text.split(' ')
    const terms = new Map()
    for (let at = 0; at + 1 < parts.length; at += 2) terms.set(parts[at], parts[at + 1])
    return terms
  }
  /** One bit for each letter of a word, shared by some letters. */
  const letterBits = (word) => {
    let bits = 0
    for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31)
    return bits
  }
  /** An edit changes two bits at most. */
  const mayBeNear = (a, b, max) => {
    let count = 0
    for (let bits = a ^ b; bits !== 0; bits &= bits - 1) if (++count > 2 * max) return false
    return true
  }
  const parseWords = (text) => {
    let before = ''
    return text.split(' ').map((piece) => {
      const shared = values.get(piece[0])
      before = before.slice(0, shared) + piece.slice(1, -1)
      return { term: before, rank: values.get(piece.at(-1)), letters: letterBits(before) }
    })
  }

  /** Calls `use` with the number and impact of every page, and returns the number of pages that have the term. */
  const readPostings = (text, use) => {
    const cut = text.indexOf('.')
    let [page, count] = [-1, 0]
    for (let at = cut + 1; at < text.length; count++) {
      const impact = values.get(text[at++])
      let [step, shift, digit] = [0, 0, 0]
      do {
        digit = values.get(text[at++])
        step |= (digit & 31) << shift
        shift += 5
      } while (digit & 32)
      page += step + 1
      use(page, impact)
    }
    return cut < 0 ? count : Number(text.slice(0, cut))
  }

  const edits = [new Uint8Array(64), new Uint8Array(64), new Uint8Array(64)]
  /** Edits between two words, with swapped letters as one; `max + 1` for more than `max`. */
  const countEdits = (a, b, max) => {
    if (Math.abs(a.length - b.length) > max) return max + 1
    let [last, row, next] = edits
    for (let j = 0; j <= b.length; j++) row[j] = j
    for (let i = 1; i <= a.length; i++) {
      let least = (next[0] = i)
      for (let j = 1; j <= b.length; j++) {
        const cost = a[i - 1] === b[j - 1] ? 0 : 1
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + cost)
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
          next[j] = Math.min(next[j], last[j - 2] + 1)
        least = Math.min(least, next[j])
      }
      if (least > max) return max + 1
      ;[last, row, next] = [row, next, last]
    }
    return row[b.length]
  }

  /** Index of one language and version. */
  const openScope = (number, { digest }) => {
    const get = (name) => load(`${number}/${name}`, digest)
    const parsed = new Map()
    const getParsed = (name, parse) => {
      const known = parsed.get(name) ?? get(name).then(parse)
      parsed.set(name, known)
      known.catch(() => parsed.delete(name))
      return known
    }
    const start = () => get('start')
    const termsAt = (at) => getParsed(`terms-${at}`, parseTerms)
    const wordsAt = (at) => getParsed(`words-${at}`, parseWords)

    const completions = async (term) => {
      const { terms, words } = await start()
      const last = `${term}\uffff`
      const [from, to] = [findFile(terms, term), findFile(terms, last)]
      const isPair = isUnspaced(term)
      const near = isPair ? Math.min(to, from + maxFiles - 1) : from
      const found = new Map()
      for (const list of await Promise.all(range(from, near).map(termsAt)))
        for (const [candidate, postings] of list)
          if (candidate.startsWith(term)) found.set(candidate, Math.log2(postings.length / 3))
      if (!isPair && words.length > 0) {
        const first = findFile(words, term)
        const files = range(first, Math.min(findFile(words, last), first + maxFiles - 1))
        for (const list of await Promise.all(files.map(wordsAt)))
          for (const { term: candidate, rank } of list) if (candidate.startsWith(term)) found.set(candidate, rank)
      }
      found.delete(term)
      return [...found].sort((a, b) => b[1] - a[1] || a[0].length - b[0].length).slice(0, maxCompletions)
    }

    const corrections = async (term) => {
      const max = term.length < 4 ? 0 : term.length < 7 ? 1 : 2
      const { words } = await start()
      if (max === 0 || isUnspaced(term) || words.length === 0) return []
      // The first letter is taken as right, or as swapped with the second; a small site is looked through.
      const files = new Set(words.length <= maxFiles ? words.keys() : [])
      for (const first of words.length <= maxFiles ? [] : [term[0], term[1]])
        for (const at of range(findFile(words, first), findFile(words, `${first}\uffff`)))
          if (files.size < 2 * maxFiles) files.add(at)
      const letters = letterBits(term)
      const found = []
      for (const list of await Promise.all([...files].map(wordsAt)))
        for (const { term: candidate, rank, letters: other } of list) {
          if (!mayBeNear(letters, other, max)) continue
          const edits = countEdits(term, candidate, max)
          if (edits <= max) found.push([candidate, edits, rank])
        }
      found.sort((a, b) => a[1] - b[1] || b[2] - a[2])
      return found.filter(([, edits]) => edits === found[0][1]).slice(0, maxCorrections)
    }

    /** Pages with a word or something near it: page → weight, and the words that were found. */
    const findWord = async (term, index, { length }) => {
      const { terms, pages } = await start()
      if (terms.length === 0) return { weights: new Map(), found: [], isCommon: false }
      const exact = (await termsAt(findFile(terms, term))).get(term)
      // The last word may be half written.
      const isOpen = exact === undefined || index === length - 1
      const begun = isOpen && (term.length > 1 || isUnspaced(term)) ? await completions(term) : []
      const ways = begun.map(([candidate]) => [candidate, 0.6 * (term.length / candidate.length) ** 0.5])
      if (exact !== undefined) ways.unshift([term, 1])
      if (ways.length === 0)
        for (const [candidate, edits] of await corrections(term)) ways.push([candidate, 0.6 / edits])
      const [weights, found] = [new Map(), []]
      let isCommon = false
      const files = new Set(exact === undefined ? [] : [findFile(terms, term)])
      for (const [candidate] of ways) if (files.size <= maxFiles) files.add(findFile(terms, candidate))
      await Promise.all([...files].map(termsAt))
      for (const [candidate, factor] of ways) {
        const file = findFile(terms, candidate)
        const postings = files.has(file) ? (await termsAt(file)).get(candidate) : undefined
        if (postings === undefined) continue
        found.push(candidate)
        const impacts = []
        const count = readPostings(postings, (page, impact) => impacts.push([page, impact]))
        const rarity = Math.log(1 + pages / count)
        for (const [page, impact] of impacts)
          weights.set(page, Math.max(weights.get(page) ?? 0, impact * factor * rarity))
        isCommon ||= count > impacts.length
      }
      return { weights, found, isCommon }
    }

    return {
      /** Pages with all words of a query, else with most of them; the best first. */
      search: async (text) => {
        const terms = [...new Set(splitTerms(text))].slice(0, maxTerms)
        const words = await Promise.all(terms.map(findWord))
        const telling = words.filter(({ isCommon }) => !isCommon)
        const needed = new Set(telling.length > 0 ? telling : words)
        const pages = new Map()
        for (const word of words)
          for (const [page, weight] of word.weights) {
            const sum = pages.get(page) ?? { page, weight: 0, matched: 0 }
            sum.weight += weight
            if (needed.has(word)) sum.matched += 1
            pages.set(page, sum)
          }
        let most = 0
        for (const { matched } of pages.values()) most = Math.max(most, matched)
        const hits = [...pages.values()].filter(({ matched }) => matched === most)
        hits.sort((a, b) => b.weight - a.weight || a.page - b.page)
        return { hits, terms: new Set([...terms, ...words.flatMap(({ found }) => found)]) }
      },
      /** Title, groups and sections of a page. */
      readPage: async (page) => {
        const { chunks } = await start()
        let [at, first] = [0, 0]
        while (first + values.get(chunks[at]) <= page) first += values.get(chunks[at++])
        const [file, title, trail, sections] = (await get(`pages-${at}`))[page - first]
        return { file, title, trail, sections }
      },
    }
  }

  const scopes = new Map()
  Object.assign(search, {
    start: () => load('start'),
    openScope: (number, entry) => {
      const scope = scopes.get(number) ?? openScope(number, entry)
      scopes.set(number, scope)
      return scope
    },
  })
})()
