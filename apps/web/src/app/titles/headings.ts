/** Titles and subtitles that need no data, by address: the page shows them before its scripts have run. */
export const headings = {
  '/': { title: 'Sites', about: 'What is live, what is new, and what needs you.' },
  '/exports': { title: 'Exports', about: 'Download your documentation sites as static files.' },
  '/agent-jobs': { title: 'Agent jobs', about: 'Waiting, working, ready for review.' },
} as const
