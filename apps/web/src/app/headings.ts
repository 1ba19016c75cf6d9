/** Titles and subtitles that need no data, by address: the page shows them before its scripts have run. */
export const headings = {
  '/': { title: 'Overview', about: 'What runs, what needs you, what is ready.' },
  '/exports': { title: 'Exports', about: 'A documentation site as one archive of static files.' },
  '/agent-jobs': { title: 'Agent jobs', about: 'Watched until the pull request is there.' },
  '/availability': {
    title: 'Availability',
    about: 'What a documentation service offers, by the kind of its deployment.',
  },
} as const
