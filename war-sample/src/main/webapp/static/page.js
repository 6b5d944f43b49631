'use strict';

// Everything from the server goes into the page as text, never as markup.
function element(tag, text, className) {
    const made = document.createElement(tag);
    made.textContent = text;
    if (className) {
        made.className = className;
    }
    return made;
}

function time(instant) {
    return new Date(instant).toLocaleTimeString();
}

function cell(answer) {
    if (!answer) {
        return element('td', '–');
    }
    const ran = answer.answer === 'ran' || answer.answer === 'running';
    const td = element('td', answer.answer + ' ', ran ? answer.answer : '');
    if (ran && answer.token) {
        td.append(element('small', answer.token));
    } else if (answer.holder) {
        td.title = 'by ' + answer.holder + ' since ' + time(answer.since);
    }
    return td;
}

function draw(slots) {
    const nodes = [...new Set(slots.flatMap(slot => slot.answers.map(answer => answer.node)))].sort();
    const head = document.createElement('tr');
    ['slot', 'job', ...nodes, 'runs'].forEach(title => head.append(element('th', title)));
    document.getElementById('head').replaceChildren(head);
    document.getElementById('slots').replaceChildren(...slots.map(slot => {
        const row = document.createElement('tr');
        row.append(element('td', time(slot.slot)), element('td', slot.job));
        nodes.forEach(node => row.append(cell(slot.answers.find(answer => answer.node === node))));
        row.append(element('td', slot.runs, slot.runs > 1 ? 'many' : ''));
        return row;
    }));
}

async function read(address) {
    const response = await fetch(address);
    if (!response.ok) {
        throw new Error(address + ' answers ' + response.status);
    }
    return response.json();
}

async function refresh() {
    const problem = document.getElementById('problem');
    try {
        document.getElementById('node').textContent = (await read('health')).node;
        draw(await read('api/slots'));
        problem.hidden = true;
    } catch (failure) {
        problem.textContent = 'This node does not answer: ' + failure.message;
        problem.hidden = false;
    }
    setTimeout(refresh, 2000);
}

refresh();
