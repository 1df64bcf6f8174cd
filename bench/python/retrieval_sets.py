"""Makes sets for `npm run bench -- retrieval` from data that are already there, each from a seeded generator.

    python bench/python/retrieval_sets.py --stsb FOLDER --locomo dev.json --sets FOLDER

FOLDER of --stsb has `stsb-LANG-dev.csv` (stsb-multi-mt); FOLDER of --sets has `xquad.json` (or `.gz`) with one space a
language, and gets the sets:

- locomo_dev: LoCoMo conversations, a turn a text.
- stsb_translations: sentences, each stored in one language of eleven and asked for in another; and sentences of four languages
  asked of a store in English.
- xquad_mixed: paragraphs, each stored in one language of six, and questions in another.
- passages_own, passages_other, sentences_own, sentences_other: paragraphs of XQuAD and sentences in a store of four languages, asked for
  in the language that they are stored in, and in another; sentences by others that mean the same.
- longquery: questions of XQuAD behind 350 to 500 characters of other paragraphs.
- stdlib_code: functions of Python's standard library without their docstrings, asked for by these.
"""
import argparse, ast, csv, glob, gzip, json, os, random, re, sysconfig

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('--stsb', required=True)
parser.add_argument('--locomo', required=True)
parser.add_argument('--sets', required=True)
options = parser.parse_args()
rng = random.Random(3)


def write(name, kind, spaces):
    with open(os.path.join(options.sets, f'{name}.json'), 'w') as file:
        json.dump({'name': name, 'kind': kind, 'spaces': spaces}, file, ensure_ascii=False)
    print(f"{name}: {sum(len(s['docs']) for s in spaces)} texts, {sum(len(s['queries']) for s in spaces)} queries")


def read_xquad():
    path = os.path.join(options.sets, 'xquad.json')
    with (open(path) if os.path.exists(path) else gzip.open(path + '.gz', 'rt')) as file:
        return json.load(file)


def stsb_translations():
    rows = {os.path.basename(p)[5:-8]: [r[0] for r in csv.reader(open(p))] for p in sorted(glob.glob(f'{options.stsb}/stsb-*-dev.csv'))}
    languages = sorted(rows)
    seen, kept = set(), []
    for i, text in enumerate(rows['en']):
        if text not in seen:
            seen.add(text)
            kept.append(i)
    docs, queries = [], []
    for i in kept:
        stored, asked = rng.sample(languages, 2)
        docs.append({'id': str(i), 'text': rows[stored][i]})
        queries.append({'q': rows[asked][i], 'rel': {str(i): 1}, 'tag': f'{asked}>{stored}'})
    spaces = [{'name': 'mixed', 'docs': docs, 'queries': rng.sample(queries, 400)}]
    for language in ('nl', 'pt', 'ru', 'zh'):
        asked = [{'q': rows[language][i], 'rel': {str(i): 1}, 'tag': language} for i in rng.sample(kept, 150)]
        spaces.append({'name': f'{language}>en', 'docs': [{'id': str(i), 'text': rows['en'][i]} for i in kept], 'queries': asked})
    write('stsb_translations', 'translations', spaces)


def stdlib_code():
    docs, queries = [], []
    files = sorted(glob.glob(sysconfig.get_paths()['stdlib'] + '/*.py'))
    rng.shuffle(files)
    for path in files:
        try:
            functions = [node for node in ast.walk(ast.parse(open(path).read())) if isinstance(node, ast.FunctionDef)]
        except (SyntaxError, UnicodeDecodeError):
            continue
        rng.shuffle(functions)
        taken = 0
        for function in functions:
            documented = ast.get_docstring(function)
            if not documented:
                continue
            first = re.split(r'(?<=[.])\s|\n\n', documented.strip())[0].replace('\n', ' ')
            function.body = function.body[1:] or [ast.Pass()]
            code = ast.unparse(function)
            if not 30 < len(first) < 160 or not 80 < len(code) < 2500:
                continue
            name = str(len(docs))
            docs.append({'id': name, 'text': code})
            queries.append({'q': first, 'rel': {name: 1}})
            taken += 1
            if taken == 8:
                break
        if len(docs) >= 600:
            break
    write('stdlib_code', 'code', [{'name': 'stdlib', 'docs': docs, 'queries': rng.sample(queries, min(300, len(queries)))}])


def locomo_dev():
    spaces = []
    for conversation in json.load(open(options.locomo)):
        known = {turn['id'] for turn in conversation['turns']}
        docs = [
            {'id': t['id'], 'text': f"{t['speaker']}: {t['text']}" + (f" [shares {t['caption']}]" if t['caption'] else '')}
            for t in conversation['turns']
        ]
        queries = []
        for q in conversation['questions']:
            rel = {one: 1 for one in q['evidence'] if one in known}
            if rel:
                queries.append({'q': q['question'], 'rel': rel, 'tag': q['category']})
        spaces.append({'name': conversation['conversation'], 'docs': docs, 'queries': queries})
    write('locomo_dev', 'dialogue', spaces)


def longquery(xquad):
    spaces = []
    for space in xquad['spaces']:
        if space['name'] not in ('en', 'de', 'es', 'zh'):
            continue
        queries = []
        for one in space['queries'][:100]:
            around = ''
            while len(around) < 500:
                other = rng.choice(space['docs'])
                if other['id'] not in one['rel']:
                    around += ('' if not around else ' ') + other['text']
            around = around[:500]
            end = max(around.rfind('. '), around.rfind('。'))
            around = around[: end + 1] if end > 350 else around
            queries.append({'q': f"{around} {one['q']}", 'rel': one['rel'], 'tag': space['name']})
        spaces.append({'name': space['name'], 'docs': space['docs'], 'queries': queries})
    write('longquery', 'questions behind other text', spaces)


def xquad_mixed(xquad):
    spaces = {space['name']: space for space in xquad['spaces']}
    languages = list(spaces)
    count = len(spaces['en']['docs'])
    stored = {str(i): rng.choice(languages) for i in range(count)}
    docs = [{'id': str(i), 'text': spaces[stored[str(i)]]['docs'][i]['text']} for i in range(count)]
    queries = []
    for i, question in enumerate(spaces['en']['queries']):
        answer = next(iter(question['rel']))
        asked = rng.choice([language for language in languages if language != stored[answer]])
        queries.append({'q': spaces[asked]['queries'][i]['q'], 'rel': question['rel'], 'tag': f'{asked}>{stored[answer]}'})
    write('xquad_mixed', 'passages in mixed languages', [{'name': 'mixed', 'docs': docs, 'queries': queries}])


def own_or_other(name, kind, stored, asked):
    """Two sets over texts that are stored in the languages of `stored` by turns: asked in the language of the text, and in another.

    stored: texts by language, in one order; asked: by language pairs of the place of a text and the question.
    """
    languages = list(stored)
    docs = [{'id': str(i), 'text': stored[languages[i % 4]][i]} for i in range(len(stored[languages[0]]))]
    own, other = [], []
    for k, (place, _) in enumerate(asked[languages[0]]):
        language, another = languages[place % 4], languages[(place + 1 + k % 3) % 4]
        own.append({'q': asked[language][k][1], 'rel': {str(place): 1}, 'tag': language})
        other.append({'q': asked[another][k][1], 'rel': {str(place): 1}, 'tag': f'{another}>{language}'})
    for suffix, queries in (('own', own), ('other', other)):
        write(f'{name}_{suffix}', f'{kind}, asked for in their {suffix} language', [{'name': 'mixed', 'docs': docs, 'queries': queries}])


def passages_of_four(xquad):
    spaces = {s['name']: s for s in xquad['spaces'] if s['name'] in ('en', 'de', 'es', 'zh')}
    stored = {language: [doc['text'] for doc in space['docs']] for language, space in spaces.items()}
    asked = {language: [(int(next(iter(q['rel']))), q['q']) for q in space['queries']] for language, space in spaces.items()}
    own_or_other('passages', 'passages', stored, asked)


def sentences_of_four():
    rows = {one: list(csv.reader(open(f'{options.stsb}/stsb-{one}-dev.csv')))[:500] for one in ('en', 'de', 'fr', 'es')}
    same = [i for i, row in enumerate(rows['en']) if float(row[2]) >= 4]
    stored = {language: [row[0] for row in all] for language, all in rows.items()}
    asked = {language: [(i, all[i][1]) for i in same] for language, all in rows.items()}
    own_or_other('sentences', 'sentences', stored, asked)


def sentences_alone(language):
    docs, rel = {}, {}
    for one, other, score in csv.reader(open(f'{options.stsb}/stsb-{language}-dev.csv')):
        docs.setdefault(other, str(len(docs)))
        if one.strip() != other.strip() and float(score) >= 3.5:
            rel.setdefault(one, {})[docs[other]] = 2 if float(score) >= 4.4 else 1
    space = {'name': language, 'docs': [{'id': i, 'text': text} for text, i in docs.items()], 'queries': [{'q': q, 'rel': r} for q, r in rel.items()]}
    write(f'sentences_{language}', 'sentences of one language, asked for by others that mean the same', [space])


stsb_translations()
stdlib_code()
locomo_dev()
longquery(read_xquad())
xquad_mixed(read_xquad())
passages_of_four(read_xquad())
sentences_of_four()
for language in ('de', 'en', 'es', 'fr', 'ru', 'zh'):
    sentences_alone(language)
