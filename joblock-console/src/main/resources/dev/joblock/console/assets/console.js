// Everything works without this file, by forms and a reload; it makes the page live and asks in place.
(function () {
    'use strict';

    const byId = id => document.getElementById(id);
    const show = (id, on) => { const it = byId(id); if (it) { it.hidden = !on; } };
    const dialog = byId('ask');
    const pause = byId('pause');
    let paused = false;
    let opener = null;

    // Renewing stops while nobody looks, while a question is open, and when it is paused.
    document.addEventListener('htmx:beforeRequest', event => {
        const config = event.detail.requestConfig;
        const asked = config.triggeringEvent && config.triggeringEvent.type === 'refresh';
        const idle = document.hidden || paused || (dialog && dialog.open);
        if (event.detail.elt.id === 'live' && !asked && idle) {
            event.preventDefault();
        }
    });

    let scrolled = null;
    document.addEventListener('htmx:beforeSwap', event => {
        if (!event.detail.xhr.getResponseHeader('Joblock-Console')) { // a log-in page in place of ours
            event.detail.shouldSwap = false;
            window.location.reload();
            return;
        }
        const box = byId('timeline-scroll');
        scrolled = event.detail.target.id === 'live' && box ? box.scrollLeft : null;
    });
    document.addEventListener('htmx:afterSwap', () => {
        const box = byId('timeline-scroll');
        if (box && scrolled !== null) {
            box.scrollLeft = scrolled;
        }
    });

    document.addEventListener('htmx:afterRequest', event => {
        if (event.detail.successful) {
            show('offline', false);
            show('refused', false);
        }
    });
    ['htmx:sendError', 'htmx:timeout'].forEach(name => document.addEventListener(name, () => show('offline', true)));
    document.addEventListener('htmx:responseError', event => {
        show(event.detail.xhr.status === 403 || event.detail.xhr.status === 401 ? 'refused' : 'offline', true);
    });
    document.addEventListener('visibilitychange', () => {
        if (!document.hidden && !paused && window.htmx) {
            window.htmx.trigger('#live', 'refresh');
        }
    });

    if (pause && byId('live').hasAttribute('hx-get')) {
        pause.hidden = false;
        pause.addEventListener('click', () => {
            paused = !paused;
            pause.setAttribute('aria-pressed', String(paused));
            pause.querySelector('span').textContent = paused ? pause.dataset.resume : pause.dataset.pause;
            document.body.classList.toggle('paused', paused);
        });
    }

    // A button that names a question opens it. Names are set as text, never as markup.
    document.addEventListener('submit', event => {
        const button = event.submitter;
        if (!button || !button.dataset.ask || !dialog || !window.htmx) {
            return;
        }
        event.preventDefault();
        opener = { id: button.id, address: button.getAttribute('formaction') };
        byId('ask-title').textContent = button.dataset.ask;
        byId('ask-text').textContent = button.dataset.explain;
        byId('ask-yes').textContent = button.dataset.yes;
        byId('ask-yes').disabled = false;
        dialog.showModal();
        byId('ask-no').focus();
    });
    if (dialog) {
        byId('ask-no').addEventListener('click', () => dialog.close());
        dialog.addEventListener('close', () => {
            const again = opener && byId(opener.id);
            if (again) {
                again.focus();
            }
        });
        byId('ask-yes').addEventListener('click', () => {
            byId('ask-yes').disabled = true; // the second click of two
            const values = Object.fromEntries(new FormData(byId('act')));
            values.confirmed = 'yes';
            window.htmx.ajax('POST', opener.address, { values, target: '#answer', swap: 'innerHTML' })
                .catch(() => {})
                .then(() => {
                    dialog.close();
                    window.htmx.trigger('#live', 'refresh');
                });
        });
    }
})();
