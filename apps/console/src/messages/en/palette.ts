export const palette = {
  'palette.title': 'Search or go to',
  'palette.hint': 'A page, an organization, or what to look for',
  'palette.list': 'What can be chosen',
  'palette.found_one': '{{count, number}} choice',
  'palette.found_other': '{{count, number}} choices',
  'palette.search.words': 'Search memories for the words: {{q}}',
  'palette.search.meaning': 'Search memories by meaning: {{q}}',
} as const
