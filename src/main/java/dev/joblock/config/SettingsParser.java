package dev.joblock.config;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.PropertyValue;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.TypedStringValue;
import org.springframework.beans.factory.parsing.BeanComponentDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.ManagedProperties;
import org.springframework.beans.factory.xml.BeanDefinitionParser;
import org.springframework.beans.factory.xml.ParserContext;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/**
 * Parses an element whose attributes are settings: each goes to the bean {@code joblockSettings} as the property of that
 * name. Adds what the file to import adds. Stateless.
 */
final class SettingsParser implements BeanDefinitionParser {

    private static final String SETTINGS = "joblockSettings";

    private final String prefix;

    /** Settings whose names begin with a prefix such as {@code joblock.redis.}; in attributes dots are hyphens. */
    SettingsParser(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public @Nullable BeanDefinition parse(Element element, ParserContext context) {
        addImport(context);
        NamedNodeMap attributes = element.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++) {
            Attr attribute = (Attr) attributes.item(i);
            if (!attribute.getName().startsWith("xmlns")) {
                put(attribute, element, context);
            }
        }
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element) {
                context.getDelegate().parseCustomElement((Element) child);
            }
        }
        return null;
    }

    private void put(Attr attribute, Element element, ParserContext context) {
        Optional<Setting> setting = Setting.ALL.stream()
                .filter(it -> it.key().startsWith(prefix)
                        && it.key().substring(prefix.length()).replace('.', '-').equals(attribute.getName()))
                .findFirst();
        if (!setting.isPresent()) {
            context.getReaderContext()
                    .error("<" + element.getTagName() + "> has no attribute '" + attribute.getName() + "'", element);
            return;
        }
        String key = setting.get().key();
        ManagedProperties properties = properties(element, context);
        TypedStringValue value = new TypedStringValue(attribute.getValue());
        Object before = properties.put(new TypedStringValue(key), value);
        if (before != null && !before.equals(value)) {
            context.getReaderContext()
                    .error(
                            "'" + key + "' is set twice, to '" + ((TypedStringValue) before).getValue() + "' and by <"
                                    + element.getTagName() + " " + attribute.getName() + "=\"" + attribute.getValue()
                                    + "\">; keep one",
                            element);
        }
    }

    /** The properties of our settings bean, which the first element adds. */
    private static ManagedProperties properties(Element element, ParserContext context) {
        BeanDefinitionRegistry registry = context.getRegistry();
        BeanDefinition settings;
        if (!registry.containsBeanDefinition(SETTINGS)) {
            settings = BeanDefinitionBuilder.genericBeanDefinition(JobLockSettings.class)
                    .getBeanDefinition();
            settings.setAutowireCandidate(false);
            JobLockImport.markOurs(settings);
            context.registerBeanComponent(new BeanComponentDefinition(settings, SETTINGS));
        } else {
            settings = registry.getBeanDefinition(SETTINGS);
        }
        PropertyValue given = settings.getPropertyValues().getPropertyValue("properties");
        if (given != null && given.getValue() instanceof ManagedProperties) {
            return (ManagedProperties) given.getValue();
        }
        if (given != null) {
            context.getReaderContext()
                    .error(
                            "The bean '" + SETTINGS + "' of this application has properties that <"
                                    + element.getTagName() + "> can't add to; set all values in one place",
                            element);
        }
        ManagedProperties properties = new ManagedProperties();
        settings.getPropertyValues().add("properties", properties);
        return properties;
    }

    /** Several imports do no harm. */
    private static void addImport(ParserContext context) {
        BeanDefinition all =
                BeanDefinitionBuilder.genericBeanDefinition(JobLockImport.class).getBeanDefinition();
        all.setAutowireCandidate(false);
        String name = context.getReaderContext().generateBeanName(all);
        context.registerBeanComponent(new BeanComponentDefinition(all, name));
    }
}
