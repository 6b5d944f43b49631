package dev.joblock.config;

import dev.joblock.JobLockPolicy;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.TypedStringValue;
import org.springframework.beans.factory.parsing.BeanComponentDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.xml.BeanDefinitionParser;
import org.springframework.beans.factory.xml.ParserContext;
import org.springframework.core.Conventions;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;

/**
 * Parses {@code <joblock:job name="…"/>} to a {@link JobLockPolicy} bean: each attribute sets the property of that name,
 * {@code name} its patterns. Stateless.
 */
final class PolicyParser implements BeanDefinitionParser {

    @Override
    public @Nullable BeanDefinition parse(Element element, ParserContext context) {
        String name = element.getAttribute("name");
        BeanDefinitionBuilder policy = BeanDefinitionBuilder.genericBeanDefinition(JobLockPolicy.class);
        policy.getRawBeanDefinition().setSource(context.extractSource(element));
        policy.getRawBeanDefinition().setAutowireCandidate(false);
        NamedNodeMap attributes = element.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++) {
            Attr attribute = (Attr) attributes.item(i);
            if (!attribute.getName().startsWith("xmlns")) {
                String property = attribute.getName().equals("name")
                        ? "jobs"
                        : Conventions.attributeNameToPropertyName(attribute.getName());
                policy.addPropertyValue(property, new TypedStringValue(attribute.getValue()));
            }
        }
        String bean = "joblock:job[" + name + "]";
        if (context.getRegistry().containsBeanDefinition(bean)) {
            context.getReaderContext()
                    .error("<" + element.getTagName() + " name=\"" + name + "\"> stands twice; keep one", element);
            return null;
        }
        context.registerBeanComponent(new BeanComponentDefinition(policy.getBeanDefinition(), bean));
        return null;
    }
}
