import {
  type ContradictionReason,
  findContradiction,
  readComparable,
} from '@memory/engine/contradiction/contradiction'
import { describe, expect, it } from 'vitest'

const reasonOf = (one: string, other: string) => findContradiction(readComparable(one), readComparable(other))

/** Judged alike in either order. */
function expectReason(one: string, other: string, reason: ContradictionReason | undefined): void {
  expect(reasonOf(one, other)).toBe(reason)
  expect(reasonOf(other, one)).toBe(reason)
}

describe('code, commands and lists', () => {
  it.each([
    ['- [x] Book the ferry', '- [ ] Book the ferry', 'opposite'],
    ['* [X] Miete überweisen', '* [ ] Miete überweisen', 'opposite'],
    ['☑ Water the ferns', '☐ Water the ferns', 'opposite'],
    ['- [x] Call Ann\n- [ ] Call Bob', '- [ ] Call Ann\n- [x] Call Bob', 'opposite'],
    ['✅ Backup done', '❌ Backup done', 'opposite'],
    ['Friday works 👍', 'Friday works 👎', 'opposite'],
    ['chmod +x run.sh', 'chmod -x run.sh', 'opposite'],
    ['chmod u+w notes.md', 'chmod u-w notes.md', 'opposite'],
    ['if (cache.ready || force) load()', 'if (cache.ready && force) load()', 'opposite'],
    ['while (left !== right) step()', 'while (left === right) step()', 'opposite'],
    ['total += price', 'total -= price', 'opposite'],
    ['assert !done', 'assert done', 'negation'],
    ['x = a && !b', 'x = a && b', 'negation'],
    ['disabled={!ready}', 'disabled={ready}', 'negation'],
    ['if (!user.active) return null', 'if (user.active) return null', 'negation'],
    ['const off = !on', 'const off = on', 'negation'],
    ['The handler checks !req.user', 'The handler checks req.user', 'negation'],
    ['while (!queue.empty()) pop()', 'while (queue.empty()) pop()', 'negation'],
    ['pip install requests', 'pip install httpx', 'name'],
    ['kubectl delete pod web', 'kubectl delete service web', 'name'],
    ['kubectl get pods', 'kubectl get services', 'name'],
    ['systemctl restart nginx', 'systemctl restart apache', 'name'],
    ['sudo apt install vim', 'sudo apt install nano', 'name'],
    ['$ git checkout develop', '$ git checkout staging', 'name'],
    ['`git merge feature`', '`git merge release`', 'name'],
    ['chmod 755 run.sh', 'chmod 755 stop.sh', 'name'],
    ['docker run --name=web nginx', 'docker run --name=api nginx', 'name'],
    ['- run with +x', '- run with -x', 'opposite'],
    ['return !visible', 'return visible', 'negation'],
    ['if (!config.debug) run()', 'if (config.debug) run()', 'negation'],
    ['Error in loadOrder()', 'Error in loadBasket()', 'name'],
    ['The column is called user_name', 'The column is called user_mail', 'name'],
    ['git checkout develop', 'git checkout staging', 'name'],
    ['docker pull redis', 'docker pull postgres', 'name'],
    ['The bucket is in eu-north-1', 'The bucket is in ap-north-1', 'name'],
    ['See https://docs.example.org/setup/mysql', 'See https://docs.example.org/setup/oracle', 'name'],
    ['Write to sales@example.org', 'Write to support@example.org', 'name'],
    ['The configuration is in /etc/app/prod.yml', 'The configuration is in /etc/app/test.yml', 'name'],
    ['See https://example.org/tickets/17', 'See https://example.org/tickets/71', 'number'],
    ['git merge feature into main', 'git merge main into feature', 'direction'],
    ['Merge the release branch into develop', 'Merge the develop branch into release', 'direction'],
  ] as const)('%j is not %j', (one, other, reason) => expectReason(one, other, reason))

  it.each([
    ['- [x] Book the ferry', 'Book the ferry (done)'],
    ['- [x] Book the ferry', '* [X] Book the ferry'],
    ['✅ Backup done', '👍 Backup done'],
    ['✅ Backup done', 'Backup done'],
    ['Wow!that was fast', 'Wow! That was fast'],
    ['I use YouTube daily', 'I use Youtube every day'],
    ['The function is loadOrder', 'The function is load_order'],
    ['The flag dark_mode is on', 'The flag "dark mode" is on'],
    ['npm install left', 'npm i left'],
    ['git push origin main', 'Push main to origin with git'],
    ['Deploy to eu-west-1', 'deploy to EU-West-1'],
    ['a && b', 'b && a'],
    ['if (!ok) throw error', 'throw an error unless ok'],
    ['if (!isValid) return null', 'Return null if isValid is false'],
    ['if (!done) wait()', 'if (!(done)) wait()'],
    ['if (!user) login()', 'if (user == null) login()'],
    ['color: red !important', 'color: red important'],
    ['Ping !Tom when done', 'Ping Tom when done'],
    ['yarn is nicer than npm', 'yarn is better than npm'],
    ['apt is a short word', 'apt is a brief word'],
    ['pip is our rabbit', 'pip is our bunny'],
    ['cargo ship docks tomorrow', 'cargo ship arrives tomorrow'],
    ['git commit -m "fix"', 'git commit --message "fix"'],
    ['docker run -d web', 'docker run --detach web'],
    ['docker ps -a', 'docker ps --all'],
    ['git status -s', 'git status --short'],
    ['git diff --cached', 'git diff --staged'],
    ['-eggs\n-milk', '+eggs\n+milk'],
    ['kubectl get pods', 'kubectl get pod'],
    ['docker run is slow on macs', 'docker run is slow on laptops'],
    ['npm install failed again', 'npm install broke again'],
    ['brew the tea strong', 'brew the tea bold'],
    ['yarn is soft', 'yarn is fluffy'],
    ['pip is a seed', 'pip is a kernel'],
    ['helm is ours', 'helm is mine'],
    ['git push ist langsam', 'git push ist lahm'],
    ['cargo is late', 'cargo is delayed'],
    ['npm is fine', 'npm is okay'],
    ['curl your hair daily', 'curl your locks daily'],
    ['psql is handy', 'psql is useful'],
    ['ls -a', 'ls --all'],
    ['git push -f', 'git push --force'],
    ['git push -u origin main', 'git push --set-upstream origin main'],
    ['npm install -g yarn', 'npm install --global yarn'],
    ['npm install -D vitest', 'npm install --save-dev vitest'],
    ['docker run -p 80:80 web', 'docker run --publish 80:80 web'],
    ['docker build -t web', 'docker build --tag web'],
    ['git add -A', 'git add --all'],
    ['curl -o a.txt https://acme.io', 'curl --output a.txt https://acme.io'],
    ['kubectl get svc', 'kubectl get services'],
    ['kubectl get deploy', 'kubectl get deployments'],
    ['kubectl logs -f web', 'kubectl logs --follow web'],
    ['* eggs', '+ eggs'],
    ['+ eggs\n+ milk', '- eggs\n- milk'],
    ['  -eggs', '+eggs'],
    ['Danke !Tom', 'Danke Tom'],
    ['Merci !Ada arrive', 'Merci Ada arrive'],
    ['display: none !important', 'display: none important'],
    ['if (!done) wait()', 'wait while done is false'],
    ['if (!token) return 401', 'Return 401 when token is null'],
    ['if (!name) fail()', 'Fail if name is empty'],
    ['return !found', 'return found === false'],
    ['if (!file.exists) create()', 'Create the file if file.exists is false'],
    ['const hidden = !visible', 'hidden is true when visible is false'],
    ['if (!ok) throw error', 'if (ok === false) throw error'],
    ['if (!ok) throw error', 'if (ok == 0) throw error'],
    ['if (!list.length) return', 'Return when list.length is 0'],
  ])('%j is %j', (one, other) => expectReason(one, other, undefined))
})

describe('units', () => {
  it.each([
    ['The limit is 20 ms', 'The limit is 20 s'],
    ['The limit is 20 µs', 'The limit is 20 ms'],
    ['Das Limit ist 20 Millisekunden', 'Das Limit ist 20 Sekunden'],
    ['The link has 50 Mb', 'The link has 50 MB'],
    ['The fuse is rated 2 A', 'The fuse is rated 2 mA'],
    ['The laser has 5 mW', 'The laser has 5 MW'],
    ['The battery gives 9 V', 'The battery gives 9 mV'],
    ['The clock runs at 3 MHz', 'The clock runs at 3 GHz'],
    ['Take 8 drops at night', 'Take 8 ml at night'],
    ['Take 2 tablets at night', 'Take 2 capsules at night'],
    ['Prendre 8 gouttes', 'Prendre 8 comprimés'],
    ['Nimm 2 Tabletten', 'Nimm 2 Kapseln'],
    ['Tomar 2 pastillas al día', 'Tomar 2 gotas al día'],
    ['Prendere 2 bustine al giorno', 'Prendere 2 compresse al giorno'],
    ['Neem 2 druppels per dag', 'Neem 2 zakjes per dag'],
    ['Przyjmować 5 kropli dziennie', 'Przyjmować 5 tabletek dziennie'],
    ['Принимать 5 капель в день', 'Принимать 5 таблеток в день'],
    ['每次吃三片', '每次吃三粒'],
    ['一回2錠飲む', '一回2カプセル飲む'],
    ['2 puffs in the morning', '2 sachets in the morning'],
    ['Inject 10 units', 'Inject 10 ml'],
    ['Une cuillère à café de miel, 2 cuillères à café', 'Une cuillère à café de miel, 2 cuillères à soupe'],
  ])('%s is not %s', (one, other) => expectReason(one, other, 'unit'))

  it.each([
    ['The limit is 2000 ms', 'The limit is 2 s'],
    ['Take 2 pills at night', 'Take 2 tablets at night'],
    ['Nimm 2 Pillen', 'Nimm 2 Kapseln'],
    ['The battery gives 9 V', 'The battery gives 9 volts'],
    ['The link has 50 MB', 'The link has 50 mb'],
    ['I live at 12 A', 'I live at 12A'],
    ['The fuse is rated 2 A', 'The fuse is rated 2 amps'],
    ['Der Zug fährt am 3.4.', 'Der Zug fährt am 3. April'],
    ['Mam wizytę 3.4. o 9:00', 'Mam wizytę 3 kwietnia o 9:00'],
    ['Das Treffen ist am 12.10. um 9 Uhr', 'Das Treffen ist am 12. Oktober um 9 Uhr'],
  ])('%s is %s', (one, other) => expectReason(one, other, undefined))

  it.each([
    ['Der Zug fährt am 3.4.', 'Der Zug fährt am 3. Mai'],
    ['Der Zug fährt am 3.4.', 'Der Zug fährt am 4.3.'],
  ])('%s is not %s', (one, other) => expectReason(one, other, 'number'))
})

describe('relatives by marriage, by another parent and at a baptism', () => {
  it.each([
    ["Ada is Bo's stepmother", "Ada is Bo's stepsister"],
    ["Ada is Bo's godmother", "Ada is Bo's stepmother"],
    ['Ada is my mother-in-law', 'Ada is my sister-in-law'],
    ['Uwe ist mein Schwager', 'Uwe ist mein Schwiegersohn'],
    ['Uwe ist mein Stiefvater', 'Uwe ist mein Schwiegervater'],
    ['Marc est mon beau-frère', 'Marc est mon parrain'],
    ['Ana es mi suegra', 'Ana es mi madrastra'],
    ['Lia è mia cognata', 'Lia è mia suocera'],
    ['A Rita é minha cunhada', 'A Rita é minha sogra'],
    ['Jan is mijn zwager', 'Jan is mijn schoonvader'],
    ['Lars är min svåger', 'Lars är min svärfar'],
    ['Jan to mój szwagier', 'Jan to mój teść'],
    ['Это мой тесть', 'Это мой отчим'],
    ['Αυτός είναι ο πεθερός μου', 'Αυτός είναι ο κουνιάδος μου'],
    ['هذه حماتي', 'هذه جدتي'],
    ['她是我的岳母', '她是我的嫂子'],
    ['あの人は私の義父です', 'あの人は私の義兄です'],
    ['그분은 제 시어머니예요', '그분은 제 장모님이에요'],
  ])('%s is not %s', (one, other) => expectReason(one, other, 'name'))

  it.each([
    ["Ada is Bo's stepmother", "Bo's stepmother is Ada"],
    ['Uwe ist mein Schwager', 'Mein Schwager heißt Uwe'],
  ])('%s is %s', (one, other) => expectReason(one, other, undefined))

  it.each([
    ['المحاسب هو ماهر', 'المحاسب هو حسام'],
    ['المعلمة هي رهف', 'المعلمة هي شيرين'],
  ])('%s names another one than %s', (one, other) => expectReason(one, other, 'name'))
})
